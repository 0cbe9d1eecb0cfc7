import { startFakeOllama } from "@ashlar/testing";

const server = await startFakeOllama();
const body = JSON.stringify({ model: "ok", messages: [{ role: "user", content: "hi" }] });
const response = await fetch(`${server.url}/api/chat`, { method: "POST", body });
console.log(await response.text());

const [request] = server.asked(); // what the server saw
console.log(request.method, request.path, request.body.model);
await server.close();
if (response.status !== 200 || request.body.model !== "ok") throw new Error("the server did not answer");
