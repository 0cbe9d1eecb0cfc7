/** The arguments of `write`. */
export interface WriteInput {
  readonly path: string;
  readonly content: string;
  readonly ask?: boolean | undefined;
}
