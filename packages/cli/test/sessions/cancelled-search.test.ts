import { messageUser } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { createPlace } from "./fixture.js";

const MESSAGES = 30_000;

describe.each(["jsonl", "sqlite"] as const)("a signal during long work on %s", (store) => {
  it.each([{ command: ["search", "keystone"] }, { command: ["export", "long", "--json"] }])(
    "ends sessions $command with 130 and leaves the session as it was",
    async ({ command }) => {
      const place = await createPlace(store);
      try {
        const session = await place.repository.create({ id: "long", cwd: place.project });
        const message = messageUser(`stone ${"and mortar ".repeat(40)}`);
        await session.append(
          Array.from({ length: MESSAGES }, (_, index) => ({
            id: `e${index}`,
            seq: index + 1,
            parent: index === 0 ? null : `e${index - 1}`,
            at: index,
            kind: "message" as const,
            message,
          })),
        );
        await session.close();
        await place.release();
        const cancel = new AbortController();
        const finished = place.run(["sessions", ...command], { signal: cancel.signal });
        setTimeout(() => cancel.abort(new Error("SIGINT")), 30);
        const { code, stderr } = await finished;
        expect(code).toBe(130);
        expect(stderr).not.toContain("internal");
        expect((await place.run(["sessions", "list"])).stdout).toContain("long");
      } finally {
        await place.remove();
      }
    },
  );
});
