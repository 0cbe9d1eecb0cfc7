import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { CheckRequest, CheckResult } from "../frames/frame.js";
import { tell, waitForTheEnd } from "./inside-wire.js";

const succeeds = (attempt: () => void): boolean => {
  try {
    attempt();
    return true;
  } catch {
    // What is tried here should mostly fail; that it did is the answer.
    return false;
  }
};

/** The kernel refuses the socket itself, before it looks for the other side. */
const opensUnixSocket = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path: "/nobody-listens-here" });
    socket.on("connect", () => resolve(true));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "EPERM" && error.code !== "EACCES"),
    );
  });

/** Tries what must work and what must not. */
export async function runCheck({ writable, outside }: CheckRequest): Promise<void> {
  const result: CheckResult = {
    wroteInside: succeeds(() => writeFileSync(writable, "written by the probe\n")),
    wroteOutside: succeeds(() => writeFileSync(outside, "written by the probe\n")),
    openedUnixSocket: await opensUnixSocket(),
  };
  tell({ kind: "checked", result });
  waitForTheEnd();
}
