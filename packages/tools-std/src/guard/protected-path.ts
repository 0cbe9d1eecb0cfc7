/** What a tool may do to a place that means something to the host. */
export type Protection =
  | { readonly kind: "open" }
  /** Only with a person's consent. */
  | { readonly kind: "ask"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

/** `inner` is relative to the project, with `/`. Letter case does not count: on some file systems it makes no difference. */
export function protectionOf(inner: string): Protection {
  const parts = inner.toLowerCase().split("/");
  const [first = "", second = ""] = parts;
  const name = parts.at(-1) ?? "";
  if (name.startsWith("ai-auth-")) return refused("it holds credentials and is never written by tools");
  if (inner.toLowerCase() === "ai-settings.json") return refused("settings are changed by a person");
  if (first === "ai-jobs" || first === "ai-jobs-disabled") {
    return refused("jobs are changed with job-schedule only");
  }
  if (insideGit(parts)) return refused("git runs what stands there");
  if (first === "ai-skills" || (first === ".agents" && second === "skills"))
    return ask("skills steer later agents");
  if (first === "ai-prompts") return ask("prompts steer later agents");
  return name === "agents.md" ? ask("it steers later agents") : { kind: "open" };
}

function insideGit(parts: readonly string[]): boolean {
  const next = parts[parts.indexOf(".git") + 1];
  return parts.includes(".git") && (next === "hooks" || next === "config");
}

function refused(reason: string): Protection {
  return { kind: "refused", reason };
}

function ask(reason: string): Protection {
  return { kind: "ask", reason };
}
