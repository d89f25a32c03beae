// Lists that are searched: from the newest matches to the oldest, however many there are.

import { expect, test } from "bun:test";

import { productRows } from "#catalog/products/queries.ts";
import { newId } from "#kernel/id.ts";
import { indexText } from "#platform/database/search.ts";

import { openTestShop } from "../../support/shop.ts";

test("a page looks at the newest 1,000 matches, and the next one goes on behind them", async () => {
  await using shop = await openTestShop();
  const cup = await shop.post("/v2/products", { name: "Cup" });
  await shop.test.database.write(async (tx) => {
    const [row] = await productRows.findAll(tx, [cup.id]);
    if (row === undefined) throw new Error("There is no cup.");
    for (let n = 0; n < 1_005; n += 1) {
      const id = newId("product", tx.now + 1 + n);
      await productRows.insert(tx, { ...row, id, slug: `cup-${n}`, status: "draft" });
      await indexText(tx, { kind: "products", subject: id }, "cup");
    }
  });

  const first = await shop.get("/v2/products?q=cup&status=active");
  const cursor = first.string("/next_cursor");
  const next = await shop.get(`/v2/products?q=cup&status=active&cursor=${cursor}`);
  const full = await shop.get("/v2/products?q=cup&limit=1");
  const facets = await shop.get("/v2/products/facets?q=cup");

  expect(first.list("/data")).toEqual([]);
  expect(next.at("/data/0/id")).toBe(cup.id);
  expect([full.at("/data/0/slug"), full.at("/has_more")]).toEqual(["cup-1004", true]);
  expect([facets.at("/total"), facets.at("/complete")]).toEqual([1_000, false]);
});
