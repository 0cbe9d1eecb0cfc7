/** `setTimeout` fires at once beyond this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `task` after so many milliseconds, however many; returns the function that stops it. */
export function startTimer(milliseconds: number, task: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const step = Math.min(left, MAX_TIMER_MS);
    timer = setTimeout(() => (left > step ? wait(left - step) : task()), step);
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
