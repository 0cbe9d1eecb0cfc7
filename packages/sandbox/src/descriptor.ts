/** What stands on which descriptor of the first program; from `options` on they are bubblewrap's own. */
export const DESCRIPTOR = {
  toInside: 3,
  fromInside: 4,
  options: 5,
  filter: 6,
  status: 7,
  firstEmptyFile: 8,
} as const;
