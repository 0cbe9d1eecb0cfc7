import type { IncomingMessage, ServerResponse } from "node:http";
import type { Wire } from "../question.js";
import type { RecordedRequest } from "./recorded-request.js";

/** A record that the server still fills in. */
export interface RequestEntry extends RecordedRequest {
  text: string;
  body: unknown;
  wire: Wire | undefined;
  status: number | undefined;
  closedEarly: boolean;
}

/** Opens the record of a request; it follows the response by itself. */
export function recordRequest(request: IncomingMessage, response: ServerResponse): RequestEntry {
  const url = new URL(request.url ?? "/", "http://localhost");
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  const entry: RequestEntry = {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.search,
    headers: Object.fromEntries(headers),
    text: "",
    body: undefined,
    wire: undefined,
    at: Date.now(),
    status: undefined,
    closedEarly: false,
    closed: new Promise((resolve) => {
      response.once("close", () => {
        entry.closedEarly = !response.writableFinished;
        resolve();
      });
    }),
  };
  return entry;
}
