import { main } from "@ashlar/cli";

// One command line, run in this process: its events on standard output, its exit code as the result.
const code = await main(["agent", "--model", "test/read", "What does README.md say?"]);
if (code !== 0) throw new Error(`the agent ended with exit code ${code}`);
process.exit(code);
