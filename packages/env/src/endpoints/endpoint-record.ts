import { isSettingsData, type SettingsData } from "../settings/settings-data.js";

/** One record of `providers`, decoded. The settings check has already refused wrong types. */
export interface EndpointRecord {
  readonly provider: string | undefined;
  readonly url: string | undefined;
  /** The model that the endpoint's name alone stands for. */
  readonly model: string | undefined;
  /** Settings by model id. */
  readonly models: Readonly<Record<string, SettingsData>>;
  readonly disabled: boolean;
  readonly secret: boolean | undefined;
  /** Models whose id does not match are secret. */
  readonly filter: RegExp | undefined;
  /** Tokens. */
  readonly contextWindow: number | undefined;
  /** The whole record, for the wire and the layers above. */
  readonly settings: SettingsData;
  /** What cannot count, one sentence each, with the key. */
  readonly problems: readonly string[];
}

/** Keys under which people keep credentials elsewhere; here they would end up in logs and backups. */
const CREDENTIAL_KEYS: readonly string[] = ["auth", "token", "apiKey", "api_key"];

export function decodeEndpointRecord(name: string, value: unknown): EndpointRecord {
  const record = isSettingsData(value) ? value : {};
  const key = `providers.${name}`;
  const { filter, problems } = compileFilter(`${key}.filter`, record.filter);
  const credentials = CREDENTIAL_KEYS.filter((credential) => record[credential] !== undefined);
  return {
    provider: text(record.provider),
    url: typeof record.url === "string" ? record.url : undefined,
    model: text(record.model),
    models: modelSettings(record.models),
    disabled: record.disabled === true,
    secret: typeof record.secret === "boolean" ? record.secret : undefined,
    filter,
    contextWindow: typeof record.contextWindow === "number" ? record.contextWindow : undefined,
    settings: Object.fromEntries(Object.entries(record).filter(([entry]) => !credentials.includes(entry))),
    problems: [
      ...problems,
      ...credentials.map(
        (credential) =>
          `${key}.${credential} is not read: credentials do not belong in settings; run: ashlar login ${name}`,
      ),
    ],
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function modelSettings(value: unknown): Readonly<Record<string, SettingsData>> {
  if (!isSettingsData(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([id, settings]) => [id, isSettingsData(settings) ? settings : {}]),
  );
}

function compileFilter(key: string, value: unknown): Pick<EndpointRecord, "filter" | "problems"> {
  if (typeof value !== "string") return { filter: undefined, problems: [] };
  try {
    return { filter: new RegExp(value, "u"), problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      filter: undefined,
      problems: [`${key} is not a regular expression, so it hides nothing: ${reason}`],
    };
  }
}
