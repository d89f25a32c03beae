// The short form of the model of the whole shop.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { wholeShop } from "./whole-shop.ts";

test("no life of a shop leads to another stock, another debt or another story than the model's", async () => {
  const { broken } = await wholeShop.run(briefly(wholeShop));

  expect(broken).toEqual([]);
}, 120_000);
