import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueQuery } from "@ashlar/context/provider";
import type { ConformanceCase } from "../conformance-case.js";
import { expectSame, expectThat } from "../expectation.js";
import { acceptedClass, authOf } from "../observation.js";
import { startReplay } from "../replay-server.js";
import type { ProviderSubject } from "../subject.js";

/** Parts of a manifest whose packages come along when the provider is installed. */
const INSTALLED = ["dependencies", "peerDependencies", "optionalDependencies"] as const;

export const packageCases: readonly ConformanceCase[] = [
  {
    name: "metadata",
    why: "Hosts choose, list and complete a provider by what its class says of itself.",
    run: async ({ Provider }) => {
      const { label, capabilities } = acceptedClass(Provider).provider;
      expectThat(label.trim() !== "", "a label", label);
      expectThat(capabilities.streaming, "a provider that streams", capabilities);
      for (const { url } of Provider.knownEndpoints ?? [])
        expectThat(URL.canParse(url), "known endpoints with a URL", url);
      const { thinking, thinkingDefault } = capabilities;
      const isMode = thinkingDefault === undefined || thinking.includes(thinkingDefault);
      expectThat(isMode, `a thinkingDefault among ${JSON.stringify(thinking)}`, thinkingDefault);
    },
  },
  {
    name: "model-list",
    needs: ["models"],
    why: "People pick a model from the list; an endpoint that is down must say so instead of having none.",
    run: async (subject) => {
      const { models } = subject.wire.recordings;
      expectThat(models !== undefined, "the recording `models`, because the provider lists models", "none");
      const list = subject.Provider.models;
      expectThat(list !== undefined, "a static `models`, because a list was recorded", "none");
      const server = await startReplay({
        path: subject.wire.path,
        replies: [],
        routes: { ...subject.wire.routes, [models.route]: models.answer },
      });
      const query = queryOf(subject, server.url + (subject.wire.basePath ?? ""));
      try {
        expectSame(
          "the ids",
          [...models.ids].sort(),
          Object.keys(await list.call(subject.Provider, query)).sort(),
        );
      } finally {
        await server.close();
      }
      await expectRejection(
        async () => subject.Provider.testConnection?.(query) ?? list.call(subject.Provider, query),
      );
    },
  },
  {
    name: "dependencies",
    needs: ["folder"],
    why: "A provider that lists the host breaks with each of its releases; the contract package alone stays.",
    run: async ({ folder = "." }) => {
      const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const listed = INSTALLED.flatMap((part) => namesIn(manifest, part));
      const ours = listed.filter((name) => name.startsWith("@ashlar/") && name !== "@ashlar/context");
      expectSame("packages of Ashlar beside @ashlar/context that come along", [], ours);
      expectThat(
        listed.includes("@ashlar/context"),
        "@ashlar/context among the packages that come along",
        listed,
      );
    },
  },
];

function queryOf(subject: ProviderSubject, url: string): CatalogueQuery {
  return {
    url,
    auth: authOf(subject),
    settings: subject.settings ?? {},
    signal: AbortSignal.timeout(10_000),
    fetch: (address, init) => fetch(address, init),
  };
}

async function expectRejection(act: () => Promise<unknown>): Promise<void> {
  let answer: unknown;
  try {
    answer = await act();
  } catch {
    // What an endpoint that is down deserves.
    return;
  }
  expectThat(false, "a rejection from an endpoint that is down", answer);
}

function namesIn(manifest: unknown, part: string): readonly string[] {
  if (typeof manifest !== "object" || manifest === null) return [];
  const packages: unknown = Object.entries(manifest).find(([key]) => key === part)?.[1];
  return typeof packages === "object" && packages !== null ? Object.keys(packages) : [];
}
