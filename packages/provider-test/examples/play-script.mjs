import { connect, IO } from "@ashlar/io";
import { Test } from "@ashlar/provider-test";

const script = [
  { error: { message: "too busy", status: 503 } },
  [{ delay: 20 }, { text: "It is called Ashlar." }],
];

const io = new IO(connect(Test, { model: "demo", settings: { script } }));
const failed = await io.write("What is this project called?", () => undefined);
const answered = await io.write("What is this project called?", () => undefined);
await io.close();

console.log(failed.error, "/", answered.message.content[0].text);
if (failed.type !== "error" || answered.type !== "done") throw new Error("the script was not played");
