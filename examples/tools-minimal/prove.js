import { runToolPackConformance } from "@ashlar/agent/testing";
import { subject } from "./subject.js";

const { ok, complete, results } = await runToolPackConformance(subject);
for (const { name, outcome, reason } of results) console.log(outcome, name, reason ?? "");
if (!complete) console.log("Some cases were not run here: nothing is known of them.");
process.exitCode = ok ? 0 : 1;
