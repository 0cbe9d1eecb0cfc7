import { describe, expect, it } from "vitest";
import { requestSettings } from "../../src/request/settings.js";

describe("the settings of a connection", () => {
  it("are optional", () => {
    expect(requestSettings({})).toEqual({
      contextWindow: undefined,
      options: {},
      keepAlive: undefined,
      headers: {},
    });
  });

  it("say the common keys in Ollama's words, and options win", () => {
    const { options } = requestSettings({
      maxTokens: 100,
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      stop: "END",
      options: { temperature: 0.5, min_p: 0.1 },
    });
    expect(options).toEqual({
      num_predict: 100,
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ["END"],
      min_p: 0.1,
    });
  });

  it.each([
    { settings: { contextWindow: 8192 }, window: 8192 },
    { settings: { options: { num_ctx: 4096 } }, window: 4096 },
    { settings: { contextWindow: 8192, options: { num_ctx: 4096 } }, window: 8192 },
  ])("hold the window of $settings", ({ settings, window }) => {
    expect(requestSettings(settings).contextWindow).toBe(window);
    expect(requestSettings(settings).options).not.toHaveProperty("num_ctx");
  });

  it.each([
    { keepAlive: 300, sent: 300 },
    { keepAlive: -1, sent: -1 },
    { keepAlive: 0, sent: 0 },
    { keepAlive: "5m", sent: "5m" },
    { keepAlive: "1h30m", sent: "1h30m" },
    { keepAlive: " -1 ", sent: -1 },
    { keepAlive: "300", sent: 300 },
  ])("take keepAlive $keepAlive", ({ keepAlive, sent }) => {
    expect(requestSettings({ keepAlive }).keepAlive).toBe(sent);
    expect(requestSettings({ keep_alive: keepAlive }).keepAlive).toBe(sent);
  });

  it.each([
    { settings: { contextWindow: "big" }, at: "settings.contextWindow" },
    { settings: { contextWindow: 0 }, at: "settings.contextWindow" },
    { settings: { contextWindow: 1.5 }, at: "settings.contextWindow" },
    { settings: { options: { num_ctx: null } }, at: "settings.options.num_ctx" },
    { settings: { options: [] }, at: "settings.options" },
    { settings: { temperature: "hot" }, at: "settings.temperature" },
    { settings: { stop: [1] }, at: "settings.stop" },
    { settings: { keepAlive: "soon" }, at: "settings.keepAlive" },
    { settings: { keepAlive: true }, at: "settings.keepAlive" },
    { settings: { headers: { "X-Key": 7 } }, at: "settings.headers.X-Key" },
  ])("refuse $settings and name the key", ({ settings, at }) => {
    expect(() => requestSettings(settings)).toThrow(
      expect.objectContaining({
        kind: "malformed",
        details: { at },
        message: expect.stringContaining("wanted"),
      }),
    );
  });
});
