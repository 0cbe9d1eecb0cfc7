import { nearestName } from "@ashlar/context";
import { EnvError } from "../env-error.js";
import type { LoginParts } from "./login.js";

export interface LogoutResult {
  readonly name: string;
  /** It was found, not configured: it is back in the next Env. */
  readonly dynamic: boolean;
}

/** Forgets the endpoint's credentials in memory and in every file. What settings say of it stays. */
export async function logout(name: string, parts: Omit<LoginParts, "signal">): Promise<LogoutResult> {
  const { view, credentials, detection, listed } = parts;
  const endpoint = view.all().get(name);
  if (endpoint === undefined) {
    const near = nearestName(name, view.all().keys());
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    throw new EnvError("usage", `there is no endpoint ${JSON.stringify(name)} to log out of${hint}`, {
      argument: "name",
    });
  }
  await credentials.remove(name);
  detection.suppress(name);
  view.authReport(name, "accepted");
  listed(endpoint, undefined);
  view.changed();
  return { name, dynamic: endpoint.dynamic };
}
