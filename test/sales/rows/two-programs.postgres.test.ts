// Two programs on one database list the orders of a product alike, whichever of them writes the terms.

import { expect, test } from "bun:test";

import { auditLineIndex } from "#sales/history/audit-orders.ts";

import { atOnce } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import { openPrograms } from "../../support/programs.ts";
import { of, place } from "../orders/counter.ts";
import { numbersOf, writeTerms } from "./writing.ts";

test("an order placed at one program is on the lists of both, while both write terms", async () => {
  await using programs = await openPrograms(2);
  const [one, other] = [programs.of(0), programs.of(1)];
  const cup = await mug(one, { stock: 100 });

  await Promise.all([
    atOnce(40, async (index) => {
      const placed = await place(programs.of(index), [of(cup)]);
      const numbers = await numbersOf(programs.of(index + 1), "sku=MUG&limit=100");
      expect(numbers).toContain(placed.at("/number"));
    }),
    writeTerms(one.test.database),
    writeTerms(other.test.database),
  ]);

  await Promise.all([writeTerms(one.test.database), writeTerms(other.test.database)]);
  const query = `product_id=${cup.productId}&limit=100`;
  expect(await numbersOf(one, query)).toHaveLength(40);
  expect(await numbersOf(other, query)).toEqual(await numbersOf(one, query));
  expect(await Array.fromAsync(auditLineIndex(one.test.database.read))).toEqual([]);
});
