import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningLLM, startFakeLLM } from "../src/index.js";

let server: RunningLLM;
beforeAll(async () => {
  server = await startFakeLLM();
});
afterAll(() => server.close());

const paths = ["/api/chat", "/api/show", "/v1/chat/completions", "/v1/responses"];
const post = (path: string, body: string | Uint8Array) =>
  fetch(`${server.url}${path}`, { method: "POST", body });

/** Bodies that are nearly right, so that every check is reached. */
const nearly = fc.record(
  {
    model: fc.oneof(fc.constant("ok"), fc.jsonValue()),
    messages: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          {
            role: fc.constantFrom("user", "assistant", "tool", 7),
            content: fc.jsonValue(),
            tool_calls: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    ),
    input: fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          {
            type: fc.constantFrom("message", "function_call", "function_call_output", 7),
            role: fc.jsonValue(),
            call_id: fc.jsonValue(),
            output: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    ),
    tools: fc.jsonValue(),
    options: fc.jsonValue(),
    stream: fc.jsonValue(),
    format: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe("any body", () => {
  it("is answered or refused with a reason, and never breaks the server", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.oneof(nearly, fc.jsonValue()), async (path, body) => {
        const response = await post(path, JSON.stringify(body));
        const text = await response.text();
        expect([200, 400, 404]).toContain(response.status);
        if (response.status !== 200) expect(JSON.parse(text)).toHaveProperty("error");
      }),
      { numRuns: 200 },
    );
  });

  it("that is no text at all is refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.uint8Array({ minLength: 1 }), async (path, body) => {
        expect((await post(path, Uint8Array.from([0xff, ...body]))).status).toBe(400);
      }),
      { numRuns: 50 },
    );
  });
});
