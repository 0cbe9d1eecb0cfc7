import type { AuthRecord } from "@ashlar/context/provider";

/** The header that carries credentials; none without a token. */
export function authorization(auth: AuthRecord | undefined): Readonly<Record<string, string>> {
  if (auth?.token === undefined || auth.token === "") return {};
  if (auth.scheme === "basic") return { authorization: `Basic ${base64(auth.token)}` };
  return { authorization: `Bearer ${auth.token}` };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
