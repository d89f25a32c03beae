// The differences that the audit of stock reports, and what it does not report.

import { expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { openLevel } from "#catalog/inventory/levels.ts";
import { setStock } from "#catalog/inventory/set-stock.ts";
import type { Difference } from "#kernel/difference.ts";
import { type Id, newId } from "#kernel/id.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../../support/shop.ts";

type VariantId = Id<"variant">;

/** Creates a variant with ten on hand and subtracts some of them: two movements. */
async function stock(shop: TestShop, left = 3): Promise<VariantId> {
  const variantId = newId("variant", shop.clock.now());
  const productId = newId("product", shop.clock.now());
  await shop.test.database.write((tx) =>
    openLevel(tx, { variantId, productId, sku: null, onHand: 10 }),
  );
  shop.clock.advance(1000);
  await adjust(shop, variantId, -left);
  return variantId;
}

async function adjust(shop: TestShop, variantId: VariantId, units: number): Promise<void> {
  shop.clock.advance(1000);
  await shop.test.database.write((tx) =>
    setStock(tx, variantId, { change: { adjust: units }, expected: null }),
  );
}

async function audited(shop: TestShop): Promise<Difference[]> {
  return Array.fromAsync(auditStock(shop.test.database.read));
}

test("stock that was only changed by stories has no difference", async () => {
  await using shop = await openTestShop();
  await stock(shop);
  await stock(shop, 0);

  expect(await audited(shop)).toEqual([]);
});

test("every level on every page is compared", async () => {
  await using shop = await openTestShop();
  const productId = newId("product", MORNING_MS);
  await shop.test.database.write(async (tx) => {
    for (let count = 0; count < 1100; count += 1) {
      const variantId = newId("variant", MORNING_MS);
      await openLevel(tx, { variantId, productId, sku: null, onHand: 1 });
    }
  });
  await tamper(shop.folder.path, "UPDATE inventory_levels SET on_hand = 2");

  const found = await audited(shop);

  expect(new Set(found.map((difference) => difference.subject)).size).toBe(1100);
});

test("a level that is not the sum of its movements is reported", async () => {
  await using shop = await openTestShop();
  await stock(shop);
  const wrong = await stock(shop);
  await tamper(
    shop.folder.path,
    `UPDATE inventory_levels SET on_hand = 9 WHERE variant_id = '${wrong}'`,
  );

  expect(await audited(shop)).toEqual([{ subject: wrong, what: "on_hand", expected: 7, found: 9 }]);
});

test("a reservation without a movement is reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop);
  await tamper(shop.folder.path, "UPDATE inventory_levels SET reserved = 2");

  expect(await audited(shop)).toEqual([
    { subject: variantId, what: "reserved", expected: 0, found: 2 },
  ]);
});

test("a balance that does not continue the previous one is reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop);
  await tamper(
    shop.folder.path,
    "UPDATE inventory_movements SET balance_on_hand = 8 WHERE delta_on_hand < 0",
  );

  expect(await audited(shop)).toEqual([
    {
      subject: variantId,
      what: "balance before a movement",
      expected: "10 on hand, 0 reserved",
      found: "11 on hand, 0 reserved",
    },
  ]);
});

test("a movement missing from the ledger is reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop, 3);
  await adjust(shop, variantId, 3);
  await adjust(shop, variantId, -3);
  await tamper(shop.folder.path, "DELETE FROM inventory_movements WHERE delta_on_hand = 3");

  const found = await audited(shop);

  expect(found.map(({ what }) => what)).toEqual([
    "on_hand",
    "movements in the chain",
    "balance before a movement",
  ]);
});

test("a movement that no other one follows is reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop);
  await adjust(shop, variantId, 3);
  await adjust(shop, variantId, -3);
  await tamper(
    shop.folder.path,
    `UPDATE inventory_levels SET last_movement_id =
       (SELECT previous_id FROM inventory_movements WHERE id =
         (SELECT previous_id FROM inventory_movements WHERE id = last_movement_id))`,
  );

  expect(await audited(shop)).toEqual([
    { subject: variantId, what: "movements in the chain", expected: 4, found: 2 },
  ]);
});

test("a chain of movements that is a circle is reported", async () => {
  await using shop = await openTestShop();
  await stock(shop);
  await tamper(
    shop.folder.path,
    "UPDATE inventory_movements SET previous_id = (SELECT last_movement_id FROM inventory_levels)",
  );

  const found = await audited(shop);

  expect(found.map(({ what }) => what)).toContain("movements in the chain");
});

test("movements of a variant without a level are reported", async () => {
  await using shop = await openTestShop();
  const first = await stock(shop);
  await stock(shop);
  const last = await stock(shop);
  await tamper(
    shop.folder.path,
    `DELETE FROM inventory_levels WHERE variant_id IN ('${first}', '${last}')`,
  );

  expect(await audited(shop)).toEqual([
    { subject: first, what: "stock level", expected: "one", found: "none" },
    { subject: last, what: "stock level", expected: "one", found: "none" },
  ]);
});

test("a level with stock and without movements is reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop);
  await tamper(shop.folder.path, "DELETE FROM inventory_movements");

  expect(await audited(shop)).toEqual([
    { subject: variantId, what: "on_hand", expected: 0, found: 7 },
  ]);
});

test("movements written after a clock was set back are not reported", async () => {
  await using shop = await openTestShop();
  const variantId = await stock(shop);
  shop.clock.advance(-86_400_000);
  await adjust(shop, variantId, 5);
  await adjust(shop, variantId, -1);

  expect(await audited(shop)).toEqual([]);
});
