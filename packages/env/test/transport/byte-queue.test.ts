import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteQueue } from "../../src/transport/byte-queue.js";

describe("the byte queue", () => {
  it("gives the same bytes in the same order, however they come and are taken", () => {
    const step = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.constant("take" as const));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = new ByteQueue();
        const put: number[] = [];
        const taken: number[] = [];
        const take = (): void => void taken.push(...(queue.take() ?? []));
        for (const item of steps) {
          if (item === "take") take();
          else {
            queue.push(item);
            put.push(...item);
          }
          expect(queue.bytes).toBe(put.length - taken.length);
        }
        while (queue.bytes > 0) take();
        expect(taken).toEqual(put);
        expect(queue.take()).toBeUndefined();
      }),
    );
  });

  it("hands a lone piece on without copying, and joins no more than a quarter of a megabyte", () => {
    const queue = new ByteQueue();
    const large = new Uint8Array(200_000).fill(1);
    queue.push(large);
    expect(queue.take()).toBe(large);
    for (let count = 0; count < 3; count++) queue.push(large);
    expect([queue.take()?.length, queue.take()?.length, queue.take()?.length]).toEqual([
      200_000, 200_000, 200_000,
    ]);
  });
});
