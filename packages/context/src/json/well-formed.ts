// Node 20 has the two string methods of ES2024; our library level is ES2023.
/// <reference lib="es2024.string" />

/** Replaces each lone surrogate by U+FFFD; NUL and everything else stays. The same string when nothing was wrong. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
