// When memory is given back: in the pause after a load, and more of it in a long one.

import { describe, expect, test } from "bun:test";

import { PauseWatch } from "#platform/process/pause-watch.ts";

const start = { cpuMicros: 1_000_000, residentBytes: 80_000_000 };
const busy = { cpuMicros: 1_900_000, residentBytes: 200_000_000 };
const resting = { cpuMicros: 1_905_000, residentBytes: 200_000_000 };
const collected = { ...resting, residentBytes: 140_000_000 };

/** A watch of a program whose garbage was collected in the pause after its load. */
function afterCollection(): PauseWatch {
  const watch = new PauseWatch(start);
  watch.leftover(busy);
  watch.leftover(resting);
  watch.noteGivenBack(collected);
  return watch;
}

/** What the watch says of as many seconds in which the program rests. */
function restingFor(watch: PauseWatch, seconds: number): unknown[] {
  return Array.from({ length: seconds }, () => watch.leftover(collected));
}

describe("garbage is given back", () => {
  test("in the pause after a load, and not while it lasts", () => {
    const watch = new PauseWatch(start);

    expect(watch.leftover(busy)).toBeNull();
    expect(watch.leftover(resting)).toBe("garbage");
  });

  test("once, although the program keeps some of it", () => {
    const watch = afterCollection();

    expect(watch.leftover({ ...collected, residentBytes: 141_000_000 })).toBeNull();
  });
});

describe("compiled code is given back", () => {
  test("once, in a long pause after a load", () => {
    const said = restingFor(afterCollection(), 60);

    expect(said.filter((leftover) => leftover !== null)).toEqual(["code"]);
  });

  test("although a job ran meanwhile", () => {
    const watch = afterCollection();

    const said = restingFor(watch, 5);
    watch.leftover({ ...collected, cpuMicros: collected.cpuMicros + 100_000 });
    said.push(...restingFor(watch, 20));

    expect(said).toContain("code");
  });

  test("not before the shop has rested for long", () => {
    const watch = afterCollection();

    const said = restingFor(watch, 10);
    const afterOrders = { ...collected, cpuMicros: collected.cpuMicros + 800_000 };
    said.push(...Array.from({ length: 25 }, () => watch.leftover(afterOrders)));

    expect(said.every((leftover) => leftover === null)).toBeTrue();
  });
});

test("a program that rests and has not grown is left alone", () => {
  const watch = new PauseWatch(start);
  const grown = { ...start, residentBytes: 90_000_000 };

  const said = Array.from({ length: 60 }, () => watch.leftover(grown));

  expect(said.every((leftover) => leftover === null)).toBeTrue();
});
