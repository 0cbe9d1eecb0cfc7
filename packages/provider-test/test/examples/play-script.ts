import { connect, IO } from "@ashlar/io";
import { Test } from "@ashlar/provider-test";

const script = [
  [{ thinking: "I have to look." }, { toolCall: { name: "read", arguments: { path: "README.md" } } }],
  { error: { message: "too busy", status: 503 } },
  [{ delay: 20 }, { text: "It is called Ashlar." }],
];

/** Plays the three turns; the last one would repeat. */
export async function playScript(): Promise<string[]> {
  const io = new IO(connect(Test, { model: "demo", settings: { script } }));
  const endings: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const end = await io.write("What is this project called?", () => undefined);
    endings.push(end.type === "done" ? `done: ${end.doneReason}` : `error: ${end.error}`);
  }
  await io.close();
  return endings;
}
