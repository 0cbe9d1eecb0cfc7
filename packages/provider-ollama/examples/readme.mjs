import { connect, IO } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";

const [model = "qwen3", question = "Why is the sky blue?"] = process.argv.slice(2);

// Without OLLAMA_HOST: the server on this machine.
const io = new IO(connect(Ollama, { url: process.env.OLLAMA_HOST, model }));
for await (const event of io.stream(question)) {
  if (event.type === "text_delta") process.stdout.write(event.text);
  if (event.type === "error") {
    console.error(`${event.kind}: ${event.error}`);
    process.exitCode = 1;
  }
}
await io.close();
