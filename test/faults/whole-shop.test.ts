// A few random lives of the model of the whole shop; `npm run faults whole-shop` runs many.

import { expect, test } from "bun:test";

import { runs, seedOfRun } from "../support/runs.ts";
import { briefly } from "./fault.ts";
import { wholeShop } from "./whole-shop.ts";

test("stock, money and events of the shop always equal the model's", async () => {
  const { broken } = await wholeShop.run(
    briefly(wholeShop, { rounds: runs(2), seed: seedOfRun() }),
  );

  expect(broken).toEqual([]);
}, 120_000);
