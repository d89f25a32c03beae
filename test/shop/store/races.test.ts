// The shop's settings, created or changed by several programs at the same moment.

import { expect, test } from "bun:test";

import { newId } from "#kernel/id.ts";
import { openStore } from "#shop/store/open-store.ts";
import { store as storeTable } from "#shop/store/tables.ts";

import { atOnce } from "../../support/at-once.ts";
import { MORNING_MS, openTestShop } from "../../support/shop.ts";
import { emptyTable, rowsOf } from "../../support/tables.ts";

test("programs that open a new database at once create one shop", async () => {
  await using shop = await openTestShop();
  const { database } = shop.live;
  await database.write((tx) => emptyTable(tx, storeTable));

  const opened = await atOnce(6, () =>
    database.write((tx) => openStore(tx, newId("store", MORNING_MS))),
  );

  const rows = await rowsOf(database.read, storeTable);
  expect(rows).toHaveLength(1);
  expect(new Set(opened)).toEqual(new Set(rows.map(({ id }) => id)));
});

test("changes of different settings at once are all kept", async () => {
  await using shop = await openTestShop();

  const answers = await Promise.all(
    [
      { name: "Adwoa's" },
      { currency: "GHS" },
      { timezone: "Africa/Accra" },
      { low_stock_threshold: 2 },
      { order_expiry_minutes: 60 },
      { recovery_url_template: "https://shop.example/{token}" },
    ].map((body) => shop.put("/v2/store", body)),
  );

  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await shop.get("/v2/store")).body).toMatchObject({
    name: "Adwoa's",
    currency: "GHS",
    timezone: "Africa/Accra",
    low_stock_threshold: 2,
    order_expiry_minutes: 60,
    recovery_url_template: "https://shop.example/{token}",
    version: 7,
  });
});
