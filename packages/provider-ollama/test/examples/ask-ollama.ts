import { connect, IO } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";

/** Streams the answer of a local model to `show`. The url may be left out: the default is this machine. */
export async function askOllama(
  model: string,
  question: string,
  show: (text: string) => void,
  url = "http://127.0.0.1:11434",
): Promise<void> {
  const io = new IO(connect(Ollama, { url, model }));
  for await (const event of io.stream(question)) {
    if (event.type === "text_delta") show(event.text);
    if (event.type === "error") throw new Error(`${event.kind}: ${event.error}`);
  }
  await io.close();
}
