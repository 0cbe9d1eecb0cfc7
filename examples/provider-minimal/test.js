import { runProviderConformance } from "@ashlar/io/testing";
import { subject } from "./recordings.js";

const { ok, results } = await runProviderConformance(subject);
for (const { name, outcome, reason } of results) console.log(outcome, name, reason ?? "");
process.exitCode = ok ? 0 : 1;
