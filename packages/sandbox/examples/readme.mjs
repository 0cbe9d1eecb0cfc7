import { outputText, probe, run } from "@ashlar/sandbox";

const { mechanism, reason, remedy } = await probe();
if (mechanism === "none") {
  console.log(`No sandbox works here: ${reason} ${remedy}`);
} else {
  const { exitCode, stdout } = await run(["sh", "-c", "echo made > file; touch /etc/no || echo kept out"], {
    writeRoots: [process.cwd()],
    readOnly: [`${process.cwd()}/.git/hooks`],
    network: "none",
    environment: { PATH: "/usr/bin:/bin" },
    cwd: process.cwd(),
    limits: { timeMs: 60_000, outputBytes: 100_000, fileBytes: 10_000_000 },
  });
  console.log(exitCode, outputText(stdout));
  if (outputText(stdout) !== "kept out\n") throw new Error("the sandbox did not hold");
}
