import { isObject, type ResponseEvent } from "@ashlar/context";
import { ArgumentScanner } from "./argument-scanner.js";

/** One `tool_calls` entry of a delta, decoded. */
interface Fragment {
  /** Empty when the server sent none. */
  readonly id: string;
  readonly index: number | undefined;
  readonly name: string;
  readonly argumentsText: string;
}

interface OpenCall {
  id: string;
  name: string;
  readonly index: number | undefined;
  readonly contentIndex: number;
  readonly scanner: ArgumentScanner;
  /** Arguments that came before the name. */
  held: string;
  started: boolean;
}

/**
 * Puts the calls of one answer together from the fragments of servers that disagree about `id` and `index`:
 * a new id starts a call, whatever the index; a fragment without an id goes to the latest call of its index,
 * or to the latest call at all.
 */
export class ToolCallAssembly {
  readonly #calls: OpenCall[] = [];
  readonly #byId = new Map<string, OpenCall>();
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #nextContentIndex: () => number;

  constructor(nextContentIndex: () => number) {
    this.#nextContentIndex = nextContentIndex;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** `entry` is one element of the delta's `tool_calls`. */
  push(entry: unknown): readonly ResponseEvent[] {
    const fragment = decode(entry);
    if (fragment === undefined) return [];
    const call = this.#callOf(fragment) ?? this.#open(fragment);
    if (call.id === "") call.id = fragment.id;
    if (call.name === "") call.name = fragment.name;
    call.scanner.push(fragment.argumentsText);
    call.held += fragment.argumentsText;
    return call.name === "" ? [] : release(call);
  }

  end(): readonly ResponseEvent[] {
    return this.#calls.flatMap((call): readonly ResponseEvent[] => [
      ...release(call),
      { type: "tool_call_end", contentIndex: call.contentIndex },
    ]);
  }

  /** The open call that `fragment` continues; undefined when it starts one. */
  #callOf(fragment: Fragment): OpenCall | undefined {
    const call = fragment.id === "" ? this.#anonymous(fragment) : this.#identified(fragment);
    if (call === undefined || fragment.name === "" || call.name === "") return call;
    // Some servers repeat the name in every fragment; after the arguments have closed it is the next call.
    return call.scanner.complete || call.name !== fragment.name ? undefined : call;
  }

  #identified({ id, index }: Fragment): OpenCall | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined)
      return index === undefined || known.index === undefined || index === known.index ? known : undefined;
    const indexed = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    return indexed?.id === "" ? indexed : undefined;
  }

  #anonymous({ index, name }: Fragment): OpenCall | undefined {
    const indexed = index === undefined ? undefined : this.#byIndex.get(index);
    if (indexed !== undefined) return indexed;
    return index !== undefined && name !== "" ? undefined : this.#calls.at(-1);
  }

  #open({ id, index, name }: Fragment): OpenCall {
    const call: OpenCall = {
      id,
      name,
      index,
      contentIndex: this.#nextContentIndex(),
      scanner: new ArgumentScanner(),
      held: "",
      started: false,
    };
    this.#calls.push(call);
    if (id !== "") this.#byId.set(id, call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

function decode(entry: unknown): Fragment | undefined {
  if (!isObject(entry)) return undefined;
  const call = isObject(entry.function) ? entry.function : {};
  return {
    id: typeof entry.id === "string" ? entry.id : "",
    index: typeof entry.index === "number" ? entry.index : undefined,
    name: typeof call.name === "string" ? call.name : "",
    argumentsText: argumentsText(call.arguments),
  };
}

/** Some servers send the arguments parsed, in one piece. */
function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** The events that are due: the start as soon as the name is known, then what was held back. */
function release(call: OpenCall): readonly ResponseEvent[] {
  const { contentIndex, held } = call;
  const events: ResponseEvent[] = [];
  if (!call.started) events.push({ type: "tool_call_start", contentIndex, callId: call.id, name: call.name });
  if (held !== "") events.push({ type: "tool_call_delta", contentIndex, arguments: held });
  call.started = true;
  call.held = "";
  return events;
}
