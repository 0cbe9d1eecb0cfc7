import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { EnvError } from "../env-error.js";
import { isSettingsData, type SettingsData } from "../settings/settings-data.js";
import { type Credential, decodeCredential, withCredential } from "./credential.js";
import { isEndpointName } from "./endpoint-name.js";

export type CredentialScope = "user" | "project";

/** Credentials are for their owner only. */
const FILE_MODE = 0o600;

export interface CredentialFolder {
  readonly scope: CredentialScope;
  readonly folder: string;
}

export interface CredentialFilesHost {
  readonly writeFile: (file: string, text: string, options: { readonly mode: number }) => Promise<void>;
  readonly diagnose: (diagnostic: {
    readonly kind: "provider";
    readonly message: string;
    readonly file: string;
  }) => void;
}

/** The credential files of one scope: one file an endpoint, `auth-<endpoint>.json` or `ai-auth-<endpoint>.json`. */
export class CredentialFiles {
  readonly scope: CredentialScope;
  readonly #folder: string;
  readonly #prefix: string;
  readonly #host: CredentialFilesHost;

  constructor({ scope, folder }: CredentialFolder, host: CredentialFilesHost) {
    this.scope = scope;
    this.#folder = folder;
    this.#prefix = scope === "project" ? "ai-auth-" : "auth-";
    this.#host = host;
  }

  fileOf(endpoint: string): string {
    return join(this.#folder, `${this.#prefix}${endpoint}.json`);
  }

  /** Every readable credential of the folder. What is damaged becomes a diagnostic and stays as it is. */
  readAll(): Map<string, Credential> {
    const found = new Map<string, Credential>();
    for (const endpoint of this.#endpointNames()) {
      const file = this.fileOf(endpoint);
      const text = readOptional(() => readFileSync(file, "utf8"));
      if (text === undefined) continue;
      this.#checkMode(file);
      const credential = this.#decode(file, endpoint, text);
      if (credential !== undefined) found.set(endpoint, credential);
    }
    return found;
  }

  async read(endpoint: string): Promise<Credential | undefined> {
    const text = await this.text(endpoint);
    return text === undefined ? undefined : this.#decode(this.fileOf(endpoint), endpoint, text);
  }

  /** The file as it stands, or undefined when there is none. */
  async text(endpoint: string): Promise<string | undefined> {
    try {
      return await readFile(this.fileOf(endpoint), "utf8");
    } catch (error) {
      return absent(error);
    }
  }

  /** Stores or, without a credential, removes; other keys of the file stay. Throws kind `settings` for a damaged file. */
  async write(endpoint: string, credential: Credential | undefined): Promise<void> {
    const file = this.fileOf(endpoint);
    const text = await this.text(endpoint);
    const content = text === undefined ? {} : parseContent(text);
    if (content === undefined) {
      throw new EnvError(
        "settings",
        `${file} is not a JSON object; repair or remove it, it is not overwritten`,
        { file },
      );
    }
    await this.restore(endpoint, serialized(withCredential(content, endpoint, credential)));
  }

  /** Puts a text back that `text` gave. Throws kind `settings`. */
  async restore(endpoint: string, text: string | undefined): Promise<void> {
    const file = this.fileOf(endpoint);
    try {
      if (text === undefined) await rm(file, { force: true });
      else await this.#host.writeFile(file, text, { mode: FILE_MODE });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new EnvError(
        "settings",
        `the credential file ${file} cannot be written: ${reason}`,
        { file },
        { cause },
      );
    }
  }

  #endpointNames(): string[] {
    const names = readOptional(() => readdirSync(this.#folder)) ?? [];
    return names
      .filter((name) => name.startsWith(this.#prefix) && name.endsWith(".json"))
      .map((name) => name.slice(this.#prefix.length, -".json".length))
      .filter(isEndpointName);
  }

  #decode(file: string, endpoint: string, text: string): Credential | undefined {
    const decoded = decodeCredential(parseContent(text), endpoint);
    if (typeof decoded !== "string") return decoded;
    this.#diagnose(file, `credential file ${file} ${decoded}; it is not used`);
    return undefined;
  }

  #checkMode(file: string): void {
    const mode = readOptional(() => statSync(file).mode);
    if (mode === undefined || process.platform === "win32" || (mode & 0o077) === 0) return;
    this.#diagnose(file, `others can read the credential file ${file}; run: chmod 600 ${file}`);
  }

  #diagnose(file: string, message: string): void {
    this.#host.diagnose({ kind: "provider", message, file });
  }
}

function parseContent(text: string): SettingsData | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isSettingsData(content) ? content : undefined;
  } catch {
    // The parser's message would quote the text, which holds secrets; the caller says what is wrong.
    return undefined;
  }
}

function serialized(content: SettingsData | undefined): string | undefined {
  return content === undefined ? undefined : `${JSON.stringify(content, null, 2)}\n`;
}

function readOptional<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return absent(error);
  }
}

/** A file or folder that does not exist is nothing special. */
function absent(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw error;
}
