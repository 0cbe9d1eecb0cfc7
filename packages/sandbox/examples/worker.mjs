import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { probe, worker } from "@ashlar/sandbox";

// What runs inside: the default export of a module, called with the channel.
const module = join(process.cwd(), "upper.mjs");
writeFileSync(
  module,
  "export default ({ send, onMessage }) => onMessage((text) => send(text.toUpperCase()));\n",
);

const { mechanism, reason, remedy } = await probe();
if (mechanism === "none") {
  console.log(`No sandbox works here: ${reason} ${remedy}`);
} else {
  let take = () => undefined;
  const answer = new Promise((resolve) => {
    take = resolve;
  });
  const policy = {
    writeRoots: [],
    readable: [process.cwd()],
    network: "none",
    environment: {},
    cwd: process.cwd(),
    limits: { timeMs: 60_000, outputBytes: 10_000, fileBytes: 1_000_000 },
  };
  const started = await worker(module, policy, { onMessage: take });
  started.send("hello");
  console.log(await answer);
  await started.close();
}
