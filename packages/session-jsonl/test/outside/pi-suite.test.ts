import { rm } from "node:fs/promises";
import { createMemoryRepository, type SessionRepository } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import {
  createSessionBackendConformance,
  type SessionBackendFixture,
} from "@earendil-works/pi-agent-core/session/testing";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixture.js";
import { excusedCases } from "./excused-cases.js";
import { OutsideRepository } from "./suite-repository.js";

interface Place {
  readonly repository: SessionRepository;
  readonly dispose: () => Promise<void>;
}

const stores: readonly { readonly store: string; readonly open: () => Place }[] = [
  { store: "memory", open: () => ({ repository: createMemoryRepository(), dispose: async () => undefined }) },
  {
    store: "JSON lines",
    open: () => {
      const folder = temporaryFolder();
      return {
        repository: createJsonlRepository({ folder }),
        dispose: () => rm(folder, { recursive: true, force: true }),
      };
    },
  },
  {
    store: "SQLite",
    open: () => {
      const folder = temporaryFolder();
      const repository = createSqliteRepository({ folder });
      const dispose = async (): Promise<void> => {
        await repository.close();
        await rm(folder, { recursive: true, force: true });
      };
      return { repository, dispose };
    },
  },
];

function fixtureOf({ repository, dispose }: Place): SessionBackendFixture {
  const outside = new OutsideRepository(repository);
  return {
    repository: outside.asSuite(),
    [Symbol.asyncDispose]: async () => {
      await outside.closeAll();
      await dispose();
    },
  };
}

describe.each(stores)("the session suite of pi over sessions in $store", ({ open }) => {
  const cases = createSessionBackendConformance(async () => fixtureOf(open()));
  const isExcused = (name: string): boolean => excusedCases.some((excused) => excused.name === name);

  it("has the cases that are known", () => {
    expect(cases).toHaveLength(30);
    expect(cases.filter(({ name }) => isExcused(name))).toHaveLength(excusedCases.length);
  });

  it.each(cases.filter(({ name }) => !isExcused(name)))("$name", async (each) => {
    await expect(each.run()).resolves.toBeUndefined();
  });

  it.each(excusedCases)("does otherwise: $name", async ({ name, fails }) => {
    await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow(fails);
  });
});
