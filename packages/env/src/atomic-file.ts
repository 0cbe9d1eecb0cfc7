import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file in one step, following links; creates its folder for this user only. `mode` such as 0o600 is enforced. */
export async function writeFileAtomically(
  file: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(file, text, options.mode === undefined ? {} : { mode: options.mode });
  // The library's own chmod forgives a failure; credentials must not.
  if (options.mode !== undefined) await chmod(file, options.mode);
}
