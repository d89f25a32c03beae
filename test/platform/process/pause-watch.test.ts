// When memory is given back: once in the pause after a load.

import { describe, expect, test } from "bun:test";

import { PauseWatch } from "#platform/process/pause-watch.ts";

const start = { cpuMicros: 1_000_000, residentBytes: 80_000_000 };
const busy = { cpuMicros: 1_900_000, residentBytes: 200_000_000 };
const resting = { cpuMicros: 1_905_000, residentBytes: 200_000_000 };

describe("memory is given back", () => {
  test("in the pause after a load, and not while it lasts", () => {
    const watch = new PauseWatch(start);

    expect(watch.isPauseAfterLoad(busy)).toBe(false);
    expect(watch.isPauseAfterLoad(resting)).toBe(true);
  });

  test("once, although the program keeps some of it", () => {
    const watch = new PauseWatch(start);
    watch.isPauseAfterLoad(busy);

    watch.noteCollected({ ...resting, residentBytes: 140_000_000 });

    expect(watch.isPauseAfterLoad({ ...resting, residentBytes: 141_000_000 })).toBe(false);
  });
});

test("a program that rests and has not grown is left alone", () => {
  const watch = new PauseWatch(start);

  expect(watch.isPauseAfterLoad({ ...start, residentBytes: 90_000_000 })).toBe(false);
});
