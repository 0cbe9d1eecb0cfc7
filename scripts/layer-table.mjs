// Which package may import which of ours: the table of the architecture. `anywhere: true` must run outside Node too.
export const layers = {
  context: { imports: [], anywhere: true },
  env: { imports: ["context"] },
  io: { imports: ["context", "env"] },
  sandbox: { imports: [] },
  "session-jsonl": { imports: ["context"] },
  "session-sqlite": { imports: ["context"] },
  agent: { imports: ["context", "env", "io", "sandbox", "session-jsonl"] },
  jobs: { imports: ["context", "env", "agent"] },
  "provider-ollama": { imports: ["context"], anywhere: true },
  "provider-test": { imports: ["context"], anywhere: true },
  "tools-std": { imports: ["context"] },
  testing: { imports: ["context"] },
  cli: {
    imports: [
      "context",
      "env",
      "io",
      "sandbox",
      "session-jsonl",
      "session-sqlite",
      "agent",
      "jobs",
      "provider-ollama",
      "provider-test",
      "tools-std",
    ],
  },
};

/** Folders that must run in any runtime although their package is a Node one. */
export const runsAnywhere = ["packages/agent/src/loop/"];
