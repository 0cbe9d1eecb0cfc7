import { startFakeOllama } from "@ashlar/testing";

/** Starts a server, asks it once over HTTP, and looks at what it saw. */
export async function askFake(model: string): Promise<{ status: number; sawModel: unknown }> {
  const server = await startFakeOllama();
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] });
  const response = await fetch(`${server.url}/api/chat`, { method: "POST", body });
  await response.text();
  const [request] = server.asked();
  await server.close();
  return { status: response.status, sawModel: request?.body };
}
