import { connect, IO, OpenAIChat } from "@ashlar/io";

/** Asks a model behind any OpenAI-compatible server, such as LM Studio at http://127.0.0.1:1234/v1. */
export async function ask(url: string, question: string): Promise<string> {
  const io = new IO(connect(OpenAIChat, { url, model: "qwen3" }));
  let answer = "";
  for await (const event of io.stream(question)) {
    if (event.type === "text_delta") answer += event.text;
    if (event.type === "error") throw new Error(`${event.kind}: ${event.error}`);
  }
  await io.close();
  return answer;
}
