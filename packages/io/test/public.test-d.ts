import type { ResponseEvent } from "@ashlar/context";
import { Env } from "@ashlar/env";
import { connect, IO, IOEnv, OpenAIChat } from "@ashlar/io";

const io: IO = new IO(connect(OpenAIChat, { model: "m" }));

// @ts-expect-error a connection needs a model
connect(OpenAIChat, {});
// @ts-expect-error thinking is one of THINKING_LEVELS
io.write("hi", () => undefined, { thinking: "hard" });
// @ts-expect-error no event has this callback
io.write("hi", { onTextDelat: () => undefined });
// @ts-expect-error the state is read only
io.state = "idle";

io.write("hi", { onTextDelta: ({ text }) => text.length, onData: false as never });

export async function types(): Promise<void> {
  for await (const event of io.stream("hi")) {
    const known: ResponseEvent = event;
    if (known.type === "text_delta") known.text.length;
  }
  const terminal = await io.write("hi", () => undefined);
  if (terminal.type === "error") terminal.kind?.length;

  const plain = await Env.open("/a");
  // @ts-expect-error a plain Env has no io(): its class was not widened by this layer
  plain.io("e/m");
  const env = await IOEnv.open("/a");
  env.io("e/m").selector.length;
}
