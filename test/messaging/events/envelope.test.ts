// A webhook carries the same bytes as the feed.

import { expect, test } from "bun:test";

import { envelopeText, getOrigin } from "#messaging/events/get-origin.ts";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shared = sharedShop();

/** Emits an event with this data; returns its envelope and the feed's JSON of it. */
async function announced(shop: TestShop, data: unknown) {
  await shop.test.database.write((tx) => tx.emit({ name: "product.updated", subject: "x", data }));
  const event = (await shop.events()).at(-1);
  if (event === undefined) throw new Error("Nothing was announced.");
  const envelope = envelopeText(event, await getOrigin(shop.test.database.read, "test"));
  const send = async (path: string) => {
    const headers = { Authorization: `Bearer ${shop.key}` };
    return (await fetch(`${shop.url}${path}`, { headers })).text();
  };
  return {
    envelope,
    alone: await send(`/v2/events/${event.id}`),
    feed: await send(`/v2/events?after=${event.sequence - 1}`),
  };
}

test.each([
  ["an amount with its cents", JSON.rawJSON("249.50")],
  ["an amount with three digits", JSON.rawJSON("12.000")],
  ["a number beyond every double", JSON.rawJSON("123456789012345678901234567890.10")],
  ["an emoji", "Mug \u{1F375}"],
  ["half an emoji", "\uD83C"],
  ["separators that once broke scripts", "line\u2028paragraph\u2029end"],
  ["quotes, slashes and controls", '"\\/\u0000\u001F\n</script>'],
  ["names that sort by themselves", { 2: "b", 1: "a", "": null }],
  ["a name of the engine's own", JSON.parse('{"__proto__": {"x": 1}, "toJSON": 1}')],
])("an event with %s has the same bytes in the feed and in its envelope", async (_, value) => {
  const { envelope, alone, feed } = await announced(shared, { value, list: [value] });

  expect(alone).toBe(envelope);
  expect(feed).toContain(`"data":[${envelope}]`);
});

test("the members of an envelope are in the order of the documentation", async () => {
  const { envelope } = await announced(shared, { total: JSON.rawJSON("249.50") });

  expect(Object.keys(JSON.parse(envelope))).toEqual([
    "id",
    "event",
    "created_at",
    "store_id",
    "mode",
    "sequence",
    "data",
  ]);
  expect(envelope).toEndWith('"data":{"total":249.50}}');
});

test("an erased customer is gone from the envelope, and its numbers keep their digits", async () => {
  await using shop = await openTestShop();
  const mug = { name: "Mug", price: "249.50", currency: "KES", stock: 1 };
  const variantId = (await shop.post("/v2/products", mug)).string("/variants/0/id");
  const customer = await shop.post("/v2/customers", { email: "ada@example.com" });
  const line = { variant_id: variantId, quantity: 1 };
  const order = { customer_id: customer.id, currency: "KES", line_items: [line] };
  const sold = await shop.post("/v2/orders", order);
  await shop.put(`/v2/orders/${sold.id}/cancel`);

  await shop.post(`/v2/customers/${customer.id}/erase`);

  const origin = await getOrigin(shop.test.database.read, "test");
  const envelopes = (await shop.events()).map((event) => envelopeText(event, origin));
  const placed = envelopes.filter((text) => text.includes('"order.placed"'));
  expect(placed).toEqual([expect.stringContaining('"total":249.50')]);
  expect(envelopes.join("")).not.toContain("ada@example.com");
});
