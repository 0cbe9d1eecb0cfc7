import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<string>();

/** Runs `work` as the import of a tool module; everything it starts counts as part of it. */
export function whileImportingTool<T>(file: string, work: () => Promise<T>): Promise<T> {
  return scope.run(file, work);
}

/** The tool module whose import the caller is part of. `Env.extend` is refused there. */
export function importingTool(): string | undefined {
  return scope.getStore();
}
