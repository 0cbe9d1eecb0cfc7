/** What permission asks of a tool. */
export interface PermissionSubject {
  readonly name: string;
  readonly safe: boolean;
  readonly sandbox: boolean;
  readonly hostRoot: boolean;
  readonly interactive: boolean;
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

/** May this call run in the host's process? Only what changes nothing and comes from the host's own roots may. */
export function permit(tool: PermissionSubject, state: PermissionState): Permission {
  if (tool.interactive && !state.attended) {
    const message = `${tool.name} asks a person, and nobody is there. Go on with your best judgement.`;
    return { allowed: false, message };
  }
  if (!tool.safe && !state.canWrite) {
    const refused = "this agent may only read";
    return { allowed: false, refused, message: `${tool.name} was not run: ${refused} (can.write is off).` };
  }
  if (tool.safe && tool.hostRoot && !tool.sandbox) return { allowed: true };
  const message = `${tool.name} was not run: ${NO_SANDBOX}, so only read-only tools of the host run.`;
  return { allowed: false, refused: NO_SANDBOX, message };
}
