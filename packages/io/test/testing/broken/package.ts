import type { CatalogueQuery, ModelMetadata, ProviderMetadata } from "@ashlar/context/provider";
import { Relay } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

/** `folder` holds a package.json that lists @ashlar/io. */
export function brokenPackages(folder: string): readonly BrokenProvider[] {
  return [
    {
      mistake: "has no label",
      fails: "metadata",
      says: /a class that `defineProvider` takes; came .*label/,
      subject: relaySubject(
        class extends Relay {
          static override readonly provider: ProviderMetadata = { ...Relay.provider, label: "" };
        },
      ),
    },
    {
      mistake: "is written for a contract of the future",
      fails: "metadata",
      says: /a class that `defineProvider` takes; came .*contract 2/,
      subject: relaySubject(
        class extends Relay {
          static override readonly contract = 2;
        },
      ),
    },
    {
      mistake: "lists no models when the server is down",
      fails: "model-list",
      says: /a rejection from an endpoint that is down; came \{\}/,
      subject: relaySubject(
        class extends Relay {
          static override models(query: CatalogueQuery): Promise<Readonly<Record<string, ModelMetadata>>> {
            return Relay.models(query).catch(() => ({}));
          }
        },
      ),
    },
    {
      mistake: "depends on the host",
      fails: "dependencies",
      says: /beside @ashlar\/context that come along \[\]; came \["@ashlar\/io"\]/,
      subject: relaySubject(Relay, { folder }),
    },
  ];
}
