// The words of an erased person are in no row of any table, wherever a request can write them.

import { expect, test } from "bun:test";

import { of } from "../sales/orders/counter.ts";
import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";

/** A word that nothing else in a shop contains, and the digits of the phone. */
const traces = /vlarpwanda|788123987/i;
const WORD = "Vlarpwanda";
const contact = { name: `Xy ${WORD}`, email: `xy@${WORD}.example`, phone: "+256788123987" };
const address = { name: WORD, line1: WORD, line2: WORD, city: WORD, postal_code: WORD };
const home = { ...address, country: "UG", phone: contact.phone };
const metadata = { of: WORD };
const places = { shipping_address: home, billing_address: home, notes: WORD, metadata };

/** Each request has an idempotency key, whose answer is stored; one that is refused fails the test. */
function asker(shop: TestShop) {
  let keys = 0;
  return async (method: "post" | "put", path: string, body: object = {}): Promise<Answered> => {
    keys += 1;
    const headers = { "Idempotency-Key": `key-${keys}` };
    const answer = await shop[method](`/v2${path}`, body, { headers });
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
    return answer;
  };
}

/** Leaves the word in all that a customer and the merchant write about a sale; returns the customer's id. */
async function leaveTraces(shop: TestShop): Promise<string> {
  const ask = asker(shop);
  const cup = await mug(shop);
  const details = { tags: [WORD], tax_id: WORD, addresses: [home], metadata };
  const { id } = await ask("post", "/customers", { ...contact, ...details });
  await ask("put", `/customers/${id}`, { first_name: WORD });
  const cart = await ask("post", "/carts", { line_items: [of(cup)], email: contact.email });
  const shipping = { label: WORD, amount: 2 };
  await ask("put", `/carts/${cart.id}`, { ...places, tax_id: WORD, shipping });
  await ask("post", `/carts/${cart.id}/checkout`);
  const line_items = [of(cup, 4)];
  const discount = { title: WORD, amount: 1 };
  const terms = { ...places, line_items, discount, shipping, tax_id: WORD };
  const order = await ask("post", "/orders", { ...terms, customer_id: id });
  const attempt = { order_id: order.id, method: "bank_transfer", metadata };
  const payment = await ask("post", "/payments/initialize", attempt);
  const whole = { amount: payment.at("/amount"), currency: payment.at("/currency") };
  await ask("post", `/payments/${payment.id}/confirm`, whole);
  const line_item_id = order.string("/line_items/0/id");
  const tracking = { carrier: WORD, number: WORD, url: `https://track.example/${WORD}` };
  const parcel = { line_items: [{ line_item_id, quantity: 3 }], tracking };
  await ask("put", `/orders/${order.id}/fulfill`, parcel);
  const back = { line_items: [{ line_item_id, quantity: 1 }], note: WORD };
  await ask("post", `/orders/${order.id}/returns`, back);
  await ask("post", `/orders/${order.id}/refunds`, { amount: 1, note: WORD });
  await ask("post", `/payments/${payment.id}/refunds`, { amount: 1, note: WORD });
  await ask("put", `/orders/${order.id}/cancel`, { note: WORD });
  const toClose = await shop.get("/v2/refunds?status=needs_attention");
  await ask("post", `/refunds/${toClose.string("/data/0/id")}/close`, { note: WORD });
  return id;
}

/** Each column that has the person's words in a row, as `table.column`. */
async function columnsWithTraces({ folder }: TestShop): Promise<Set<string>> {
  const found = new Set<string>();
  for (const table of await tablesBehind(folder.path)) {
    for (const row of await rowsBehind(folder.path, `SELECT * FROM "${table}"`)) {
      for (const [column, value] of Object.entries(row)) {
        if (traces.test(String(value))) found.add(`${table}.${column}`);
      }
    }
  }
  return found;
}

test("an erased person is in no row of any table", async () => {
  await using shop = await openTestShop();
  const id = await leaveTraces(shop);
  await shop.fireDue();
  const before = await columnsWithTraces(shop);

  await shop.post(`/v2/customers/${id}/erase`);

  expect(before.size).toBeGreaterThan(25);
  expect([...(await columnsWithTraces(shop))]).toEqual([]);
});
