// The short form of the fault `failover`; `bun run faults --long failover` does it twenty times.

import { expect, setDefaultTimeout, test } from "bun:test";

import { failover } from "./failover.ts";
import { briefly } from "./fault.ts";

setDefaultTimeout(240_000);

test("programs whose primary is killed lose nothing, and continue on its standby", async () => {
  const report = await failover.run(briefly(failover));

  expect(report.broken).toEqual([]);
  expect(report.figures["failovers"]).toBe(failover.short.rounds);
});
