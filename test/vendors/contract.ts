// The contract of the port as tests: a test for each row of its table.

import { describe, test } from "bun:test";

import { contractRows } from "#payments/gateways/contract/rows.ts";
import type { World } from "#payments/gateways/contract/world.ts";

/** Tests that the gateway of these worlds keeps the contract of the port, but for the rows that its vendor excludes. */
export function gatewayContract(
  name: string,
  open: () => Promise<World>,
  except: readonly string[] = [],
): void {
  describe(name, () => {
    for (const { what, run } of contractRows.filter(({ id }) => !except.includes(id))) {
      test(what, async () => {
        await using world = await open();
        await run(world);
      });
    }
  });
}
