// Makes databases with three weeks of trade that end at an instant, to be copied. Their shop is at an address that
// does not exist, until a sandbox puts its own in its place.

import { realClock } from "#kernel/time.ts";
import { openShops } from "#open-shops.ts";
import { openLog } from "#platform/log/log.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { seedShop } from "#sandbox/seed/seed-shop.ts";

/** The address in the rows of a template. */
export const TEMPLATE_URL = "http://sandbox.invalid";

/** Counting the events of the seed takes less. */
const COUNTING_MS_MAX = 60_000;

/** Afterwards the directory has the databases of both modes, and the key of their secrets. */
export async function makeSeeded(directory: string, at: number): Promise<void> {
  await using shops = await openShops(
    { directory, server: null },
    {
      log: openLog({ level: "warn", format: "auto" }),
      clockOf: (mode) => (mode === "test" ? { now: () => at } : realClock),
    },
  );
  const { test } = shops;
  await test.database.write((tx) => openLinks(tx, TEMPLATE_URL));
  await test.database.write((tx) => seedShop(tx, { currency: undefined, publicUrl: TEMPLATE_URL }));
  await test.catchUp.run(COUNTING_MS_MAX);
}
