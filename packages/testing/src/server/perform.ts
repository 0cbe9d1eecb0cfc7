import type { Encoder, SettledFinish } from "../encoder.js";
import { Transcript } from "../encoder.js";
import type { Delivery, FakeCall, Finish, Part, StreamReply } from "../reply.js";
import { Writer } from "./delivery.js";
import type { Visit } from "./listener.js";

export interface Stage {
  readonly encoder: Encoder;
  /** False: the whole answer is one JSON value. */
  readonly stream: boolean;
  readonly delivery: Delivery;
  readonly inputTokens: number;
  readonly nextCallId: () => string;
}

/** Plays a streamed reply on the connection. */
export async function perform(reply: StreamReply, { entry, response }: Visit, stage: Stage): Promise<void> {
  const { encoder, stream } = stage;
  entry.status = 200;
  response.writeHead(200, {
    "content-type": stream ? encoder.contentType : "application/json",
    ...reply.headers,
  });
  response.flushHeaders();
  const performance = new Performance(stage, new Writer(response, { ...stage.delivery, ...reply.delivery }));
  const ending = await performance.play(reply.parts);
  if (ending === "reset") response.destroy();
  else response.end();
}

const FLUSH_MS = 30;

type Ending = "complete" | "cut" | "reset";

class Performance {
  readonly #stage: Stage;
  readonly #writer: Writer;
  readonly #said = new Transcript();

  constructor(stage: Stage, writer: Writer) {
    this.#stage = stage;
    this.#writer = writer;
  }

  async play(parts: Iterable<Part>): Promise<Ending> {
    await this.#send(this.#stage.encoder.open());
    let finished = false;
    for (const part of parts) {
      if (this.#writer.gone) return "cut";
      if ("reset" in part) return this.#reset();
      if ("cut" in part) return "cut";
      finished ||= "finish" in part || "fail" in part;
      await this.#play(part);
    }
    if (!finished) await this.#finish({});
    return "complete";
  }

  /** What was written before is to arrive, so the socket lives a moment longer. */
  async #reset(): Promise<Ending> {
    await this.#writer.wait(FLUSH_MS);
    return "reset";
  }

  async #play(part: Part): Promise<void> {
    const { encoder } = this.#stage;
    if ("wait" in part) await this.#writer.wait(part.wait);
    else if ("hang" in part) await this.#writer.hang();
    else if ("raw" in part) await this.#writer.write(part.raw);
    else if ("noise" in part) await this.#send(encoder.noise());
    else if ("fail" in part) await this.#send(encoder.fail(part.fail));
    else if ("finish" in part) await this.#finish(part.finish);
    else if ("call" in part) await this.#say({ call: this.#numbered(part.call) });
    else if ("text" in part || "thinking" in part) await this.#say(part);
  }

  async #say(part: Parameters<Encoder["part"]>[0]): Promise<void> {
    this.#said.add(part);
    await this.#send(this.#stage.encoder.part(part));
  }

  async #finish(finish: Finish): Promise<void> {
    const { encoder, stream, inputTokens } = this.#stage;
    const settled: SettledFinish = this.#said.settle(finish, inputTokens);
    if (stream) await this.#send(encoder.finish(settled));
    else await this.#writer.write(JSON.stringify(encoder.whole(settled)));
  }

  async #send(text: string): Promise<void> {
    if (this.#stage.stream && text !== "") await this.#writer.write(text);
  }

  #numbered(call: FakeCall): FakeCall & { id: string } {
    return { ...call, id: call.id ?? this.#stage.nextCallId() };
  }
}
