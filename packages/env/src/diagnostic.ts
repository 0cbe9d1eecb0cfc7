/** Something that went wrong without stopping anything: a settings layer that does not parse, a tool that was left out. */
export interface Diagnostic {
  readonly kind: "settings" | "tool" | "provider" | "package" | "models" | "event" | "content";
  readonly message: string;
  readonly file?: string;
}
