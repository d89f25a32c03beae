// The short form of the fault `power`; `bun run faults --long power` cuts a thousand times.

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { briefly } from "./fault.ts";
import { cutPower, powerCut } from "./power-cut.ts";

setDefaultTimeout(120_000);

/** Enough that some cuts fall between an acknowledgement and its sync. */
const BLIND_CUTS = 12;

const normalSync = join(import.meta.dir, "serve-with-normal-sync.ts");

test("whatever a power cut leaves of unsynced writes, nothing acknowledged is lost", async () => {
  const report = await powerCut.run(briefly(powerCut));

  expect(report.broken).toEqual([]);
  expect(report.figures["cuts"]).toBe(powerCut.short.rounds);
});

test("a shop that does not sync its commits is caught losing acknowledged writes", async () => {
  const report = await cutPower(briefly(powerCut, { rounds: BLIND_CUTS }), {
    served: (directory) => [process.execPath, normalSync, directory],
  });

  expect(report.broken.join("\n")).toContain("was acknowledged and is not there");
});
