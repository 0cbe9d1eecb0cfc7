export { createTransport, type TransportOptions } from "./create-transport.js";
export type { Transport, TransportRequest, TransportResponse } from "./transport.js";
