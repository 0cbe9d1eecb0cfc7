/** Where nothing listens. */
export const URL_1 = "http://127.0.0.1:9/v1";

export const SETTINGS = {
  providers: {
    lab: { url: URL_1, models: { "qwen3:8b": {}, "org/model:tag": {}, both: {} } },
    work: { provider: "lab", url: URL_1, model: "main", models: { both: {}, "org/x": {} } },
    off: { provider: "lab", url: URL_1, disabled: true, models: { gone: {} } },
    partly: {
      provider: "lab",
      url: URL_1,
      models: { first: { disabled: true }, second: { secret: true }, third: {} },
    },
    org: { provider: "lab", url: URL_1 },
  },
};

/** What the function throws. */
export function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
