// The short form of the fault `kill`; `bun run faults --long kill` does it a thousand times.

import { expect, setDefaultTimeout, test } from "bun:test";

import { briefly } from "./fault.ts";
import { kill } from "./kill.ts";

setDefaultTimeout(240_000);

test("a shop killed under load has lost nothing and done nothing twice", async () => {
  const report = await kill.run(briefly(kill));

  expect(report.broken).toEqual([]);
  expect(report.figures["kills"]).toBeGreaterThanOrEqual(kill.short.rounds);
});
