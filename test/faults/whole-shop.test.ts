// A few lives of the model of the whole shop; `npm run faults whole-shop` lives many.

import { expect, test } from "bun:test";

import { runs } from "../support/runs.ts";
import { briefly } from "./fault.ts";
import { wholeShop } from "./whole-shop.ts";

test("no life of a shop leads to another stock, another debt or another story than the model's", async () => {
  const { broken } = await wholeShop.run(briefly(wholeShop, { rounds: runs(2) }));

  expect(broken).toEqual([]);
}, 120_000);
