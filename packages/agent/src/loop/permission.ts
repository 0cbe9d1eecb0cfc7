/** What permission asks of one call. */
export interface PermissionSubject {
  readonly name: string;
  /** The call changes nothing. */
  readonly safe: boolean;
  /** It asks a person. */
  readonly interactive: boolean;
  /** Why nobody can carry it out. */
  readonly refusal?: string | undefined;
}

export interface PermissionState {
  readonly canWrite: boolean;
  /** Why nothing may be changed here, such as the lack of a sandbox. */
  readonly readOnly?: string | undefined;
  /** Somebody can answer a question. */
  readonly attended: boolean;
}

export type Permission =
  | { readonly allowed: true }
  /** `refused`: a matter of permission or the sandbox; absent when nobody is there to ask. */
  | { readonly allowed: false; readonly message: string; readonly refused?: string };

/** May this call run, as far as is known without trying a sandbox? */
export function permit(call: PermissionSubject, state: PermissionState): Permission {
  if (call.interactive && !state.attended) {
    const message = `${call.name} asks a person, and nobody is there. Go on with your best judgement.`;
    return { allowed: false, message };
  }
  if (!call.safe && state.readOnly !== undefined) return refuse(call.name, state.readOnly);
  if (!call.safe && !state.canWrite) return refuse(call.name, "this agent may only read");
  return call.refusal === undefined ? { allowed: true } : refuse(call.name, call.refusal);
}

/** A refusal with its reason, as the model reads it. */
export function refuse(name: string, refused: string): Extract<Permission, { allowed: false }> {
  const reason = /[.!?]$/u.test(refused) ? refused : `${refused}.`;
  return { allowed: false, refused, message: `${name} was not run: ${reason}` };
}
