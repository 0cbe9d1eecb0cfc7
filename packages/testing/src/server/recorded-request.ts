import type { Wire } from "../question.js";

/** One request as the server saw it. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed JSON; undefined when there was none. */
  readonly body: unknown;
  /** Set when the request asked for an answer, as against the catalogue. */
  readonly wire: Wire | undefined;
  /** Epoch milliseconds of arrival. */
  readonly at: number;
  /** Status of the response; undefined while no header was sent. */
  readonly status: number | undefined;
  /** The client went away before the response was complete. */
  readonly closedEarly: boolean;
  /** Settles when the response was sent or the client went away. */
  readonly closed: Promise<void>;
}
