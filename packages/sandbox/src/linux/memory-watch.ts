import { isAlive, type ProcessIdentity, treeMemory } from "./process-tree.js";

const INTERVAL_MS = 200;

/**
 * Calls `onExceeded` once when the processes from `first` down hold more than `maxBytes`. Looked at five times a second:
 * the kernel's own limit on address space is of no use to programs that reserve far more than they use, such as Node.
 */
export function watchMemory(first: ProcessIdentity, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    if (!isAlive(first)) return clearInterval(timer);
    if (treeMemory(first.pid) <= maxBytes) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
