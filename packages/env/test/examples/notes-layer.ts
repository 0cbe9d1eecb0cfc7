import { Env, type EnvOf, type Extended } from "@ashlar/env";

/** What this layer adds to every Env: its published shape. */
export interface NotesAdds {
  members: { noteAdd(text: string): number; notes(): readonly string[] };
  events: { NOTE_ADDED: { readonly text: string } };
  settings: { maxNotes: number };
}

const perEnv = new WeakMap<Env, string[]>();

/** `env.safe` is one object, whether an Env or its safe view is asked. */
function notesOf(env: Env): string[] {
  const found = perEnv.get(env.safe) ?? [];
  perEnv.set(env.safe, found);
  return found;
}

const plugin: Extended<typeof Env, NotesAdds> = Env.extend<NotesAdds>({
  name: "notes",
  methods: {
    noteAdd(text) {
      const notes = notesOf(this);
      if (notes.length >= plugin.settings(this).maxNotes) throw new RangeError("no room for another note");
      plugin.emit(this, "NOTE_ADDED", { text });
      return notes.push(text);
    },
    notes() {
      return [...notesOf(this)];
    },
  },
  events: ["NOTE_ADDED"],
  settings: {
    maxNotes: {
      schema: { type: "integer", minimum: 0 },
      default: 100,
      description: "Notes kept for a project.",
    },
  },
});

export const NotesEnv: typeof plugin.Env = plugin.Env;
export type NotesEnv = EnvOf<typeof NotesEnv>;
