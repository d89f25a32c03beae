// Two programs on one database add to one cart, and no unit is lost. RUNS=40 adds ten thousand times in each tab.

import { expect, setDefaultTimeout, test } from "bun:test";

import { atOnce } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import { openPrograms } from "../../support/programs.ts";
import { runs } from "../../support/runs.ts";
import { basket, readCart } from "./basket.ts";

setDefaultTimeout(runs(120_000));

const TABS = 8;

test("what eight tabs add at two programs is in the cart, all of it", async () => {
  await using programs = await openPrograms(2);
  const { variantId: variant_id } = await mug(programs.of(0));
  const cart = await basket(programs.of(0), []);
  const times = runs(250);

  await atOnce(TABS, async (tab) => {
    for (let left = times; left > 0; left -= 1) {
      const added = await programs.of(tab).post(`/v2/carts/${cart.id}/lines`, { variant_id });
      expect(added.status).toBeOneOf([200, 201]);
    }
  });

  const found = await readCart(programs.of(1), cart);
  expect(found.list("/line_items")).toHaveLength(1);
  expect(found.at("/line_items/0/quantity")).toBe(TABS * times);
});
