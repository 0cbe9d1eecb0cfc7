/** What permission asks of one call. */
export interface PermissionSubject {
  readonly name: string;
  /** The call changes nothing. */
  readonly safe: boolean;
  /** It asks a person. */
  readonly interactive: boolean;
  /** Why the Env would not carry it out. */
  readonly refusal?: string | undefined;
}

export interface PermissionState {
  readonly canWrite: boolean;
  /** Somebody can answer a question. */
  readonly attended: boolean;
}

export type Permission =
  | { readonly allowed: true }
  /** `refused`: a matter of permission or the sandbox; absent when nobody is there to ask. */
  | { readonly allowed: false; readonly message: string; readonly refused?: string };

export const NO_SANDBOX = "no sandbox yet";

/** May this call run? As long as there is no sandbox, only what changes nothing may. */
export function permit(call: PermissionSubject, state: PermissionState): Permission {
  if (call.interactive && !state.attended) {
    const message = `${call.name} asks a person, and nobody is there. Go on with your best judgement.`;
    return { allowed: false, message };
  }
  if (!call.safe && !state.canWrite) return refuse(call, "this agent may only read");
  if (!call.safe) return refuse(call, NO_SANDBOX, "Only calls that change nothing run.");
  return call.refusal === undefined ? { allowed: true } : refuse(call, call.refusal);
}

function refuse({ name }: PermissionSubject, refused: string, more?: string): Permission {
  return {
    allowed: false,
    refused,
    message: [`${name} was not run: ${refused}.`, more].filter(Boolean).join(" "),
  };
}
