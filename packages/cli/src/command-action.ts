/** What a command does with its arguments; resolves with its exit code. */
export type Action<Args extends readonly unknown[]> = (...args: Args) => Promise<number>;

/** Makes an action of ours one of the command table's. */
export type Runs = <Args extends readonly unknown[]>(
  action: Action<Args>,
) => (...args: Args) => Promise<void>;
