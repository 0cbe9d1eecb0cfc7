// One scheduler over a folder, with a scripted model: says "began" and "ended" with the occurrence of each job.
import { AgentEnv } from "@ashlar/agent";
import { run } from "@ashlar/jobs";
import { Test } from "@ashlar/provider-test";

const [root, home, delay = "0"] = process.argv.slice(2);
const script = [[{ delay: Number(delay) }, { text: "done" }]];

await run(root, {
  model: "test/script",
  withEnv: async (work) => {
    const env = await AgentEnv.open(root, {
      settings: { providers: { test: { script } } },
      providers: { test: Test },
      environment: { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: home },
    });
    try {
      await work(env);
    } finally {
      await env.close();
    }
  },
  onRun: ({ attempt, end }) => {
    const word = end === undefined ? "began" : end.outcome;
    process.stdout.write(`${word} ${attempt.occurrence}\n`);
  },
});
