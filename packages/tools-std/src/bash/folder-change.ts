const CHANGE =
  /(?:^|[;&|{\n]|\b(?:then|do|else)\s)\s*(?:(?:command|builtin)\s+)?(?:cd|pushd|popd)(?=[\s;&|]|$)/;

/** Does a command change the folder for what follows it in the same shell? One in parentheses does not. */
export function changesFolder(command: string): boolean {
  return CHANGE.test(command);
}
