/** A member of a message, or a part of its content, as it goes on the wire. */
export type Part = Readonly<Record<string, unknown>>;

/** One entry of `messages` as it goes on the wire. */
export type ChatMessage = Part & { readonly role: string };
