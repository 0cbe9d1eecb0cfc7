import { SandboxError } from "../sandbox-error.js";
import { isAtOrBelow } from "./path-text.js";
import type { SandboxPolicy } from "./policy.js";

/** A write root here would open the sandbox itself. */
const NEVER_WRITABLE = ["/proc", "/sys", "/dev"];
/** What a timer can hold: 24.8 days. */
const MAX_TIME_MS = 2_147_483_647;

const failure = (at: string, message: string): SandboxError =>
  new SandboxError("usage", `${at}: ${message}`, { at });

const isText = (value: unknown): value is string => typeof value === "string";

function checkPath(at: string, path: unknown): void {
  if (!isText(path)) throw failure(at, `expected an absolute path, got ${typeof path}`);
  else if (!path.startsWith("/")) throw failure(at, `expected an absolute path, got ${JSON.stringify(path)}`);
  else if (path.includes("\0")) throw failure(at, "a path cannot contain a NUL character");
  else if (path !== "/" && (/\/\.{0,2}(\/|$)/.test(path) || path.endsWith("/")))
    throw failure(at, `expected a path without empty, "." or ".." parts, got ${JSON.stringify(path)}`);
}

function checkPaths(at: string, paths: unknown): void {
  if (!Array.isArray(paths)) throw failure(at, "expected an array of absolute paths");
  paths.forEach((path, index) => {
    checkPath(`${at}[${index}]`, path);
  });
}

/** Throws kind `usage` for a folder that must not be writable, whatever the policy. */
export function checkRoot(at: string, root: string): void {
  if (root === "/")
    throw failure(at, "the whole file system cannot be a write root; name the folders to write to");
  const system = NEVER_WRITABLE.find((folder) => isAtOrBelow(root, folder));
  if (system) throw failure(at, `nothing below ${system} can be a write root`);
}

function checkEnvironment(environment: unknown): void {
  const at = "policy.environment";
  if (typeof environment !== "object" || environment === null || Array.isArray(environment))
    throw failure(at, "expected an object of texts");
  for (const [name, value] of Object.entries(environment)) {
    if (name === "" || /[=\0]/.test(name))
      throw failure(at, `${JSON.stringify(name)} cannot be the name of a variable`);
    // The value may be a secret: it is not repeated.
    if (!isText(value)) throw failure(`${at}.${name}`, `expected a text, got ${typeof value}`);
    else if (value.includes("\0")) throw failure(`${at}.${name}`, "a value cannot contain a NUL character");
  }
}

function checkCount(at: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most)
    throw failure(at, `expected a whole number from ${least} to ${most}, got ${String(value)}`);
}

function checkLimits(limits: unknown): void {
  const at = "policy.limits";
  if (typeof limits !== "object" || limits === null) throw failure(at, "expected an object");
  const entries = new Map(Object.entries(limits));
  if (entries.get("timeMs") !== null) checkCount(`${at}.timeMs`, entries.get("timeMs"), 1, MAX_TIME_MS);
  checkCount(`${at}.outputBytes`, entries.get("outputBytes"), 0);
  // Less, and what starts the program could not run.
  checkCount(`${at}.fileBytes`, entries.get("fileBytes"), 512);
  const optional: readonly (readonly [string, number])[] = [
    ["memoryBytes", 1],
    ["processes", 32],
    ["temporaryBytes", 4096],
  ];
  for (const [name, least] of optional)
    if (entries.get(name) !== undefined) checkCount(`${at}.${name}`, entries.get(name), least);
}

const FIELDS: Readonly<Record<keyof SandboxPolicy, true>> = {
  writeRoots: true,
  readOnly: true,
  hidden: true,
  readable: true,
  network: true,
  environment: true,
  cwd: true,
  limits: true,
};

/** Throws kind `usage` that names the first field that is wrong. Looks at no file. */
export function checkPolicy(policy: SandboxPolicy): void {
  if (typeof policy !== "object" || policy === null) throw failure("policy", "expected an object");
  const unknown = Object.keys(policy).find((name) => !Object.hasOwn(FIELDS, name));
  // A misspelt restriction must not be a missing one.
  if (unknown !== undefined)
    throw failure(`policy.${unknown}`, `no such field; known: ${Object.keys(FIELDS).join(", ")}`);
  checkPaths("policy.writeRoots", policy.writeRoots);
  policy.writeRoots.forEach((root, index) => {
    checkRoot(`policy.writeRoots[${index}]`, root);
  });
  checkPaths("policy.readOnly", policy.readOnly ?? []);
  checkPaths("policy.hidden", policy.hidden ?? []);
  const everything = policy.hidden?.indexOf("/") ?? -1;
  if (everything >= 0)
    throw failure(`policy.hidden[${everything}]`, "the whole file system cannot be hidden");
  checkPaths("policy.readable", policy.readable ?? []);
  if (policy.network !== "none" && policy.network !== "full")
    throw failure("policy.network", `expected "none" or "full", got ${JSON.stringify(policy.network)}`);
  checkEnvironment(policy.environment);
  checkPath("policy.cwd", policy.cwd);
  checkLimits(policy.limits);
}

/** Less, and the frames of the channel itself would not fit. */
const LEAST_LINE_BYTES = 1024;

/** Throws kind `usage` for a limit on lines that no channel can keep. */
export function checkLineBytes(maxLineBytes: number): void {
  checkCount("options.maxLineBytes", maxLineBytes, LEAST_LINE_BYTES);
}

/** Throws kind `usage` for what cannot be a command. */
export function checkCommand(command: readonly string[]): void {
  if (!Array.isArray(command) || !command.every(isText))
    throw failure("command", "expected an array of texts: the program and its arguments");
  if (command[0] === undefined || command[0] === "")
    throw failure("command[0]", "expected the name or path of a program");
  const index = command.findIndex((word) => word.includes("\0"));
  if (index >= 0) throw failure(`command[${index}]`, "an argument cannot contain a NUL character");
}
