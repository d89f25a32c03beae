// One limit for all programs of a shop: what one let through is told by the other, too.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openPrograms } from "../../support/programs.ts";
import type { TestShop } from "../../support/shop.ts";

// Some of it is much work for a busy machine.
setDefaultTimeout(60_000);

const LIMIT = 1_000_000;

/** How many requests with the key are counted at a program, one of its own included. */
async function counted(shop: TestShop, key: string): Promise<number> {
  const answer = await shop.get("/v2/store", { key });
  return LIMIT - Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
}

/** Asks until those of the other program are counted, too; says how often, and what is counted then. */
async function askUntilKnown(shop: TestShop, key: string) {
  for (let asked = 1; ; asked += 1) {
    const total = await counted(shop, key);
    if (total > asked) return { asked, total };
  }
}

test("a key's own limit is used up by both programs, and each tells what is left", async () => {
  await using programs = await openPrograms(2);
  const [one, other] = [programs.of(0), programs.of(1)];
  const key = await one.createKey({ ratePerMinute: LIMIT });
  await counted(one, key);

  const { asked, total } = await askUntilKnown(other, key);

  expect(total).toBe(asked + 1);
});
