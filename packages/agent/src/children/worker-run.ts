import { errorText } from "../loop/tool-value.js";
import type { Children } from "./children.js";
import type { NestAgent } from "./nest-agent.js";
import { workerFailure } from "./worker-answer.js";

/** Hands a worker a task: an idle one begins to work on it, a busy one gets it with its next request. */
export function beginWork<A extends NestAgent>(worker: A, task: string, children: Children<A>): void {
  worker.send(task);
  if (!worker.busy) children.follow(work(worker, children));
}

/** Runs until nothing waits any more. How each run ended reaches the parent by itself; never rejects. */
async function work<A extends NestAgent>(worker: A, children: Children<A>): Promise<void> {
  try {
    let status = "completed";
    // A message may come when the last request of a run has been sent; whoever sends one to an idle worker runs it.
    while (status === "completed" && worker.pending > 0 && !worker.busy && !worker.closeMarked)
      ({ status } = await worker.run());
  } catch (error) {
    children.receive(workerFailure(worker.name, errorText(error)));
  }
}
