// Events on demand: a sample of each kind of event, of things that do not exist, to try out a receiver.

import { expect, test } from "bun:test";

import { eventNames } from "#messaging/events/event.ts";
import { ENDPOINTS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";

import { discount, shipTo, tax } from "../sales/pricing/priced-shop.ts";
import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openReceiver } from "../support/receivers.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const shop = sharedShop();

/** How many rows each table has, without the logs and what their readers and leaders keep. */
async function rowCounts({ folder }: TestShop) {
  const tables = await tablesBehind(folder.path);
  const counts = tables
    .filter(
      (table) =>
        !/^(?:events|audit_entries|log_cursors|leases|counters|order_line_terms|analytics_.+|bookings|booking_days)$/.test(
          table,
        ),
    )
    .map(async (table) => [
      table,
      await rowsBehind(folder.path, `SELECT count(*) AS found FROM ${table}`),
    ]);
  return Object.fromEntries(await Promise.all(counts));
}

test("whatever is triggered, nothing but the event comes into the shop", async () => {
  await using own = await openTestShop();
  await own.post("/v2/test/seed", {});
  // What the seed left due is done before the rows are counted.
  await own.duka.timers.test.fireDue();
  await own.announced();
  const before = await rowCounts(own);

  const answers = await Promise.all(
    eventNames.map((event) => own.post("/v2/test/trigger", { event })),
  );

  expect(answers.map((answer) => answer.at("/event"))).toEqual([...eventNames]);
  expect((await own.announcedNames()).toSorted()).toEqual([...eventNames].toSorted());
  expect(await rowCounts(own)).toEqual(before);
});

test("a triggered event uses up no number of an order and no unit of stock", async () => {
  await using own = await openTestShop();
  const { variantId } = await mug(own);
  const order = {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    payment_method: "cash_on_delivery",
  };
  const first = await own.post("/v2/orders", order);

  await own.post("/v2/test/trigger", { event: "order.refunded" });

  const next = await own.post("/v2/orders", order);
  expect(next.number("/number")).toBe(first.number("/number") + 1);
  expect((await own.get("/v2/inventory")).list("/data")).toMatchObject([{ reserved: 2 }]);
});

test.each([
  [
    "order.placed",
    {
      discounts: [{ title: "Ten percent off" }],
      tax_lines: [{ name: "VAT", taxable_minor: 1550 }],
      total_minor: 1829,
    },
  ],
  ["discount.exhausted", { title: "Welcome" }],
  ["order.fulfilled", { fulfillment: { tracking: { carrier: "DHL" } } }],
  ["order.refunded", { payment_status: "refunded", refund: { line_items: [{ restocked: 2 }] } }],
  ["payment.failed", { status: "failed", failure_code: "insufficient_funds", provider: "mpesa" }],
  ["payment.review", { status: "review", received: { currency: "USD" } }],
  ["inventory.low", { available: 4, threshold: 5 }],
  ["cart.recovered", { recovery_url: expect.any(String), customer: { name: "Asha Juma" } }],
  ["webhook.disabled", { url: "https://example.com/webhooks", reason: "manual" }],
] as const)("a sample of %s says what happened", async (event, data) => {
  const answer = await shop.post("/v2/test/trigger", { event });

  expect(answer.at("/data")).toMatchObject(data);
});

test("copying a sample into the shop does not block the next sample", async () => {
  const sample = await shop.post("/v2/test/trigger", { event: "customer.created" });
  const contact = { email: sample.at("/data/email"), phone: sample.at("/data/phone") };
  await shop.post("/v2/customers", contact);

  const again = await shop.post("/v2/test/trigger", { event: "customer.created" });

  expect(again.status).toBe(200);
});

test("a disabled webhook is shown in a shop that has as many as it may", async () => {
  await using own = await openTestShop();
  for (let made = 0; made < ENDPOINTS_MAX; made += 1) {
    await own.post("/v2/webhooks", { url: "https://example.com/", events: ["order.paid"] });
  }

  const answer = await own.post("/v2/test/trigger", { event: "webhook.disabled" });

  expect([answer.status, answer.at("/event")]).toEqual([200, "webhook.disabled"]);
});

test("a triggered event is answered as the feed has it", async () => {
  await using own = await openTestShop();

  const answer = await own.post("/v2/test/trigger", { event: "order.paid" });

  expect((await own.get("/v2/events")).list("/data")).toEqual([answer.body]);
  expect((await own.get(`/v2/events/${answer.id}`)).text).toBe(answer.text);
});

test("what is triggered says so, last of all", async () => {
  const answer = await shop.post("/v2/test/trigger", { event: "product.created" });

  expect(answer.at("/data/triggered")).toBe(true);
  expect(answer.text).toEndWith('"triggered":true}}');
});

test("amounts are in the shop's currency, with its digits", async () => {
  await using own = await openTestShop();
  await own.put("/v2/store", { currency: "KWD" });

  const answer = await own.post("/v2/test/trigger", { event: "order.paid" });

  expect(answer.at("/data/currency")).toBe("KWD");
  expect(answer.text).toMatch(/"total":\d+\.\d{3},/);
});

test("a member of the event can be said otherwise", async () => {
  const data = { channel: "pos", external_id: "till-7", shipping_address: null };

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid", data });

  expect(answer.at("/data")).toMatchObject({ ...data, triggered: true });
});

test("a member of another type is refused: receivers rely on the documented types", async () => {
  const data = { number: "seven", customer: {} };

  const answer = await shop.post("/v2/test/trigger", { event: "order.cancelled", data });

  expect([answer.status, answer.faults.toSorted()]).toEqual([
    422,
    ["#/data/customer/email required", "#/data/customer/id required", "#/data/number wrong_type"],
  ]);
});

test("a member that the event does not have is refused with the nearest one", async () => {
  const data = { chanel: "pos", triggered: false, "a/b": 1 };

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid", data });

  expect([answer.status, answer.faults]).toEqual([
    422,
    ["#/data/chanel unknown_field", "#/data/triggered unknown_field", "#/data/a~1b unknown_field"],
  ]);
  expect(answer.string("/errors/0/detail")).toContain("is it channel?");
  expect(await shop.announcedNames()).toEqual([]);
});

test("a name that nothing has is refused with the nearest one", async () => {
  const answer = await shop.post("/v2/test/trigger", { event: "order.piad" });

  expect([answer.status, answer.faults]).toEqual([422, ["#/event invalid_choice"]]);
  expect(answer.string("/errors/0/detail")).toContain("order.paid");
});

test("a repeated request triggers once", async () => {
  const headers = { "Idempotency-Key": "once" };

  const first = await shop.post("/v2/test/trigger", { event: "order.paid" }, { headers });
  const again = await shop.post("/v2/test/trigger", { event: "order.paid" }, { headers });

  expect(again.text).toBe(first.text);
  expect(await shop.announcedNames()).toEqual(["order.paid"]);
});

test("with a live key there is nothing to trigger", async () => {
  const key = await shop.createKey({ mode: "live" });

  const answer = await shop.post("/v2/test/trigger", { event: "order.paid" }, { key });

  expect([answer.status, answer.code]).toEqual([404, "not_found"]);
});

test("the way back that a sample shows leads to nothing", async () => {
  const answer = await shop.post("/v2/test/trigger", { event: "cart.abandoned" });

  const token = answer.string("/data/recovery_url").split("/").at(-1);
  const recovered = await shop.post("/v2/carts/recover", { token });
  expect([recovered.status, recovered.code]).toEqual([422, "recovery_link_expired"]);
});

test("a webhook gets a triggered event like any other", async () => {
  await using own = await openTestShop();
  await using receiver = openReceiver();
  await own.post("/v2/webhooks", { url: receiver.url, events: ["order.*"] });

  const answer = await own.post("/v2/test/trigger", { event: "order.paid" });

  const [received] = await receiver.next();
  expect(received?.body).toBe(answer.text);
});

test("a shop with shipping rates, taxes and discounts is seeded and triggers every event", async () => {
  await using own = await openTestShop();
  await tax(own, "GH", { rates: [{ name: "VAT", rate: 15 }] });
  await shipTo(own, ["GH"]);
  await discount(own, { percent: 20 });

  const seeded = await own.post("/v2/test/seed", {});
  const answers = await Promise.all(
    eventNames.map((event) => own.post("/v2/test/trigger", { event })),
  );

  expect(seeded.status).toBe(200);
  expect(answers.map((answer) => answer.at("/event"))).toEqual([...eventNames]);
});
