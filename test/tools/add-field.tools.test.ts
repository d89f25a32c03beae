// What a new text of carts and orders costs: in a copy of the house two are added, and the copy has them everywhere.

import { expect, setDefaultTimeout, test } from "bun:test";
import { dirname } from "node:path";

import { HouseCopy } from "./house-copy.ts";

setDefaultTimeout(240_000);

/** What a developer writes: each text that is there, and what it becomes. */
const edits: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  "src/sales/rows/tables.ts": [
    [
      "    notes: personal(text()),",
      "    notes: personal(text()),\n    giftNote: personal(text()),\n    giftFrom: personal(text()),",
    ],
  ],
  "src/sales/rows/cart.ts": [
    ['"notes" |', '"notes" | "giftNote" | "giftFrom" |'],
    ["  notes: null,", "  notes: null,\n  giftNote: null,\n  giftFrom: null,"],
    [" notes,", " notes, giftNote, giftFrom,"],
  ],
  "src/sales/carts/schema.ts": [
    [
      "sharedGiven = publicFields({",
      "sharedGiven = publicFields({ gift_note: optional(nullable(note(200))), gift_from: optional(nullable(note(200))),",
    ],
    [
      "    notes: body.notes,",
      "    notes: body.notes,\n    giftNote: body.gift_note,\n    giftFrom: body.gift_from,",
    ],
    [
      "    notes: textOrNull,",
      "    notes: textOrNull,\n    gift_note: textOrNull,\n    gift_from: textOrNull,",
    ],
  ],
  "src/sales/orders/schema.ts": [
    [
      "    notes: textOrNull,",
      "    notes: textOrNull,\n    gift_note: textOrNull,\n    gift_from: textOrNull,",
    ],
  ],
};

/** What a customer and an erasure do with them. */
const used = `import { expect, test } from "bun:test";
import { sharedShop } from "./support/shop.ts";
const shop = sharedShop();
test("a gift is written, kept by the order, and erased with its customer", async () => {
  const product = await shop.post("/v2/products", { name: "Bowl", price: 12, stock: 2 });
  const line_items = [{ variant_id: product.string("/variants/0/id"), quantity: 1 }];
  const contact = { email: "ama@example.com" };
  const cart = await shop.post("/v2/carts", { line_items, ...contact, gift_note: "To Esi" });
  await shop.put("/v2/carts/" + cart.id, { gift_from: "Ama" });
  const order = await shop.post("/v2/carts/" + cart.id + "/complete", {});
  const placed = { gift_note: "To Esi", gift_from: "Ama" };
  expect(order.body).toMatchObject(placed);
  await shop.put("/v2/orders/" + order.id + "/cancel", {});
  await shop.post("/v2/customers/" + order.string("/customer/id") + "/erase", {});
  const left = { gift_note: null, gift_from: null };
  expect((await shop.get("/v2/orders/" + order.id)).body).toMatchObject(left);
  expect((await shop.get("/v2/carts/" + cart.id)).body).toMatchObject(left);
  expect((await shop.get("/v2/events?limit=100")).text).not.toContain("To Esi");
});
`;

test("a text of carts and orders is added in four files of the source and a migration", async () => {
  using copy = new HouseCopy(dirname(dirname(import.meta.dir)), "sqlite");

  for (const [path, changes] of Object.entries(edits)) {
    let text = await copy.text(path);
    for (const [before, after] of changes) {
      expect(text).toContain(before);
      text = text.replaceAll(before, after);
    }
    copy.write(path, text);
  }
  await copy.migrate("gifts");
  copy.write("test/gifts.test.ts", used);

  expect([...(await copy.faultyFiles())]).toEqual([]);
  expect(await copy.run(["test/gifts.test.ts"], { bail: true })).toMatchObject({
    hasPassed: true,
    failures: [],
  });
});
