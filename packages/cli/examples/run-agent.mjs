import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ashlar = fileURLToPath(new URL("../bin/ashlar.js", import.meta.resolve("@ashlar/cli")));
const prompt = "What is this project called? Use the read tool.";
const lines = execFileSync(process.execPath, [ashlar, "agent", "--model", "test/read", prompt], {
  encoding: "utf8",
});

const events = lines
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const result = events.at(-1);
console.log(result.status, result.message.content[0].text);
if (result.type !== "result" || result.exitCode !== 0) throw new Error("the run did not succeed");
