import { closeSync, openSync } from "node:fs";
import { DESCRIPTOR } from "../descriptor.js";
import { inheritedDescriptors } from "../linux/descriptors.js";
import type { Launch } from "./launch.js";
import type { StandardPipes } from "./standard-pipes.js";

export type ChildStream = "pipe" | "ignore" | number;

/**
 * Calls `use` with what each descriptor of the child is to be. Those that this process inherited by accident are
 * covered with an empty file, because they would reach the sandbox, and lead out of it.
 */
export function withChildStreams<Result>(
  launch: Launch,
  pipes: StandardPipes,
  use: (streams: readonly ChildStream[]) => Result,
): Result {
  const empty = openSync("/dev/null", "r");
  try {
    const streams = new Map<number, ChildStream>();
    for (const descriptor of process.platform === "linux" ? inheritedDescriptors() : [])
      streams.set(descriptor, empty);
    pipes.child.forEach((end, descriptor) => {
      streams.set(descriptor, end ?? "ignore");
    });
    for (const descriptor of launch.emptyDescriptors) streams.set(descriptor, empty);
    const talking = [DESCRIPTOR.toInside, DESCRIPTOR.fromInside, ...launch.feeds.keys()];
    for (const descriptor of talking) streams.set(descriptor, "pipe");
    if (launch.statusDescriptor !== undefined) streams.set(launch.statusDescriptor, "pipe");
    const length = Math.max(...streams.keys()) + 1;
    return use(Array.from({ length }, (_, descriptor) => streams.get(descriptor) ?? "ignore"));
  } finally {
    closeSync(empty);
  }
}
