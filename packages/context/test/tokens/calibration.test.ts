import { TokenCalibration } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";

const observe = (samples: readonly (readonly [estimated: number, measured: number])[]) => {
  const calibration = new TokenCalibration();
  const taken = samples.map(([estimated, measured]) => calibration.observe({ estimated, measured }));
  return { calibration, taken };
};

it("starts at 1 and follows what the provider counts", () => {
  expect(new TokenCalibration().ratio).toBe(1);
  expect(new TokenCalibration().apply(10.2)).toBe(11);
  const { calibration } = observe([
    [1000, 1200],
    [2000, 2400],
  ]);
  expect(calibration.ratio).toBeCloseTo(1.2);
  expect(calibration.apply(1000)).toBe(1200);
});

it("learns that it estimates too much", () => {
  expect(
    observe([
      [1000, 800],
      [2000, 1600],
    ]).calibration.ratio,
  ).toBeCloseTo(0.8);
});

it.each([
  {
    why: "far below the estimate: the server cut the prompt",
    samples: [
      [6000, 6000],
      [12_000, 2050],
    ],
  },
  {
    why: "just under half of it",
    samples: [
      [1000, 1000],
      [2000, 999],
    ],
  },
  {
    why: "stuck while the context grew: the window is full",
    samples: [
      [8000, 7900],
      [11_000, 7900],
    ],
  },
  {
    why: "zero",
    samples: [
      [1000, 1000],
      [1000, 0],
    ],
  },
  {
    why: "no number",
    samples: [
      [1000, 1000],
      [1000, Number.NaN],
    ],
  },
  {
    why: "infinite",
    samples: [
      [1000, 1000],
      [1000, Number.POSITIVE_INFINITY],
    ],
  },
  {
    why: "of a prompt too small to say anything",
    samples: [
      [1000, 1000],
      [10, 30],
    ],
  },
] as const)("takes no count as proof of room that is $why", ({ samples }) => {
  const { calibration, taken } = observe(samples);
  const before = observe(samples.slice(0, 1)).calibration.ratio;
  expect(taken).toEqual([true, false]);
  expect(calibration.ratio).toBe(before);
});

it("computes the room from the estimate when the server reports the same small count for ever", () => {
  const calibration = new TokenCalibration();
  for (let turn = 1; turn <= 4; turn += 1) {
    expect(calibration.observe({ estimated: turn * 8000, measured: 2050 })).toBe(false);
  }
  expect(calibration.apply(32_000)).toBe(32_000);
});

it("is not moved far by one wild count", () => {
  const { calibration } = observe([
    [1000, 1000],
    [1100, 1100],
    [1200, 1200],
    [1300, 130_000],
    [1400, 1400],
  ]);
  expect(calibration.ratio).toBe(1);
});

it("takes a count that fell because the context did", () => {
  expect(
    observe([
      [8000, 8000],
      [2000, 2000],
      [2100, 2100],
    ]).taken,
  ).toEqual([true, true, true]);
});

it("stays between its bounds whatever it is told", () => {
  const tokens = fc.oneof(fc.nat({ max: 100_000 }), fc.double());
  fc.assert(
    fc.property(fc.array(fc.record({ estimated: tokens, measured: tokens })), (samples) => {
      const calibration = new TokenCalibration();
      for (const sample of samples) calibration.observe(sample);
      expect(calibration.ratio).toBeGreaterThanOrEqual(0.5);
      expect(calibration.ratio).toBeLessThanOrEqual(3);
    }),
  );
});
