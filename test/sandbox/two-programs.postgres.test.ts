// The clock of a test shop that two programs serve: each of them moves it for both, and timers on the
// way fire once.

import { expect, setDefaultTimeout, test } from "bun:test";

import { mug } from "../support/cast.ts";
import { openPrograms } from "../support/programs.ts";
import { MORNING_MS, type TestShop } from "../support/shop.ts";

// Slow on a busy machine.
setDefaultTimeout(60_000);

const DAY_SECONDS = 86_400;

function advance(shop: TestShop, seconds: number) {
  return shop.post("/v2/test/clock/advance", { seconds });
}

function iso(afterSeconds: number): string {
  return new Date(MORNING_MS + afterSeconds * 1000).toISOString();
}

test("advances of two programs add up", async () => {
  await using programs = await openPrograms(2);

  const answers = await Promise.all([
    advance(programs.of(0), DAY_SECONDS),
    advance(programs.of(1), DAY_SECONDS),
  ]);
  const third = await advance(programs.of(0), 1);

  expect(answers.map((answer) => answer.at("/settled"))).toEqual([true, true]);
  expect(answers.map((answer) => answer.string("/now")).toSorted()).toEqual([
    iso(DAY_SECONDS),
    iso(2 * DAY_SECONDS),
  ]);
  expect(third.at("/now")).toBe(iso(2 * DAY_SECONDS + 1));
});

test("an unpaid order expires once, whichever program advances the clock", async () => {
  await using programs = await openPrograms(2);
  const [one, other] = [programs.of(0), programs.of(1)];
  const cup = await mug(one, { stock: 5 });
  const order = await one.post("/v2/orders", {
    line_items: [{ variant_id: cup.variantId, quantity: 1 }],
  });
  await one.announced();

  await Promise.all([advance(one, 3 * DAY_SECONDS), advance(other, 3 * DAY_SECONDS)]);

  const names = await one.announcedNames();
  expect(names.filter((name) => name === "order.cancelled")).toHaveLength(1);
  expect((await other.get(`/v2/orders/${order.id}`)).at("/status")).toBe("cancelled");
});

test("a reset at one program returns the clock of the other to the machine's time", async () => {
  await using programs = await openPrograms(2);
  const [one, other] = [programs.of(0), programs.of(1)];
  await advance(one, DAY_SECONDS);
  await advance(other, DAY_SECONDS);
  await one.post("/v2/test/reset");

  const answer = await advance(other, 1);

  expect(answer.at("/now")).toBe(iso(1));
});
