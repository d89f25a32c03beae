// The short form of the fault `disk`; `bun run faults --long disk` fills it two hundred times.

import { expect, setDefaultTimeout, test } from "bun:test";

import { diskFull, fillDisk } from "./disk-full.ts";
import { briefly } from "./fault.ts";

setDefaultTimeout(120_000);

test("a shop with a full disk refuses writes, loses nothing, and continues when there is space", async () => {
  const report = await diskFull.run(briefly(diskFull));

  expect(report.broken).toEqual([]);
  expect(report.figures["times full"]).toBe(diskFull.short.rounds);
});

test("the same holds where the engine may not let its file grow", async () => {
  const report = await fillDisk(briefly(diskFull, { rounds: 1 }), "a limit of the engine");

  expect(report.broken).toEqual([]);
  expect(report.figures["times full"]).toBe(1);
});
