import { connect, IO, OpenAIChat } from "@ashlar/io";

// Any OpenAI-compatible server: LM Studio, vLLM, llama.cpp, or Ollama at /v1.
const url = `${process.env.OLLAMA_HOST ?? "http://127.0.0.1:11434"}/v1`;
const [model = "qwen3", question = "Say hello."] = process.argv.slice(2);

const io = new IO(connect(OpenAIChat, { url, model }));
const end = await io.write(question, (event) => {
  if (event.type === "text_delta") process.stdout.write(event.text);
});
await io.close();

console.log(end.type === "done" ? `\n${end.usage.outputTokens} tokens` : `${end.kind}: ${end.error}`);
process.exitCode = end.type === "done" ? 0 : 1;
