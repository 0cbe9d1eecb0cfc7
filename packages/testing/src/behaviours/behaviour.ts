import type { ModelFacts } from "../model-facts.js";
import type { Question } from "../question.js";
import type { Reply } from "../reply.js";

/** One model of the fake servers. Its name says what it does. */
export interface Behaviour {
  readonly name: string;
  /** One sentence for the README and `--help`. */
  readonly about: string;
  readonly facts?: ModelFacts;
  readonly reply: (question: Question) => Reply;
}
