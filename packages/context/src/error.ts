/** Marks an Ashlar error across two copies of a package. */
export const ASHLAR_ERROR: unique symbol = Symbol.for("ashlar.error");

/** What every failure of Ashlar looks like. Switch on `kind`, never on the text. */
export interface AshlarErrorShape<Kind extends string = string, Details extends object = object>
  extends Error {
  readonly [ASHLAR_ERROR]: true;
  readonly kind: Kind;
  readonly details: Details;
  readonly cause?: unknown;
  readonly toJSON: () => AshlarErrorJson;
}

export interface AshlarErrorJson {
  readonly name: string;
  readonly kind: string;
  readonly message: string;
  readonly details: object;
}

/** Base class of each package's one error class. `cause` is kept but never serialised. */
export class AshlarError<Kind extends string = string, Details extends object = object>
  extends Error
  implements AshlarErrorShape<Kind, Details>
{
  readonly [ASHLAR_ERROR] = true;
  readonly kind: Kind;
  readonly details: Details;

  constructor(kind: Kind, message: string, details: Details, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
    this.details = details;
  }

  toJSON(): AshlarErrorJson {
    return { name: this.name, kind: this.kind, message: this.message, details: this.details };
  }
}

/** True for an error of any Ashlar package, whichever copy of it made the error. */
export function isAshlarError(value: unknown): value is AshlarErrorShape {
  return value instanceof Error && ASHLAR_ERROR in value && value[ASHLAR_ERROR] === true;
}
