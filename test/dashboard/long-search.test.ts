// Lists of so many orders that a page ends before any was found: whoever reads it is led on.

import { expect, spyOn, test } from "bun:test";

import { tamper } from "../support/behind-the-shop.ts";
import { openDashboard } from "./dashboard-shop.ts";

/** More than the first part of a list looks at. */
const COPIES = 300;

test("an empty page of a search that goes on says so, and leads on to the orders", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const { id: oldest } = await shop.post("/v2/orders", {
    line_items: [{ name: "Stool", unit_price: "20.00", quantity: 1 }],
    payment_method: "cash",
  });
  await tamper(
    shop.folder.path,
    `CREATE TEMPORARY TABLE copies AS
      WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${COPIES})
      SELECT orders.*, numbers.i FROM orders CROSS JOIN numbers`,
    "UPDATE copies SET id = 'ord_7zzzzzzzzzzzzzzzzzzzz' || (10000 + i), number = 5000 + i",
    "ALTER TABLE copies DROP COLUMN i",
    "INSERT INTO orders SELECT * FROM copies",
    `UPDATE orders SET channel = 'counter' WHERE id = '${oldest}'`,
  );
  // Each look at the clock is a second later, so that a page ends after its first parts.
  let nowMs = 0;
  const clock = spyOn(performance, "now").mockImplementation(() => (nowMs += 1_000));

  const { html, text } = await owner.get("/dashboard/test/orders?channel=counter").finally(() => {
    clock.mockRestore();
  });

  expect(text).toContain("None found so far");
  expect(text).not.toContain("No order matches this filter.");
  const on = /rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(text).toContain("Search older ones");
  expect((await owner.get(on)).text).toContain("#1");
});
