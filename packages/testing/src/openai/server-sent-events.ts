/** One event of a stream; `name` only where the wire names its events. */
export function sseEvent(data: unknown, name?: string): string {
  const payload = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${payload}\n\n`;
}

/** Every shape of keep-alive that servers and proxies are known to send. */
export const SSE_NOISE = ": waiting in queue\n\n:\n\ndata:\n\nevent: ping\ndata: \n\ndata: : keepalive\n\n";
