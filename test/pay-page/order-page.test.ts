// The link of an order over HTTP: who gets it, what its page shows and hides, and what its button does.

import { describe, expect, test } from "bun:test";

import { signToken } from "#sales/links/link-token.ts";

import { openScriptedShop } from "../payments/scripted-shop.ts";
import { DAY_MS, later, tokenOf } from "../sales/carts/basket.ts";
import { cancel, fulfill, of, place } from "../sales/orders/counter.ts";
import { ada, kanga, mug } from "../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { abandonedMugs, press } from "./abandoned-baskets.ts";

const shared = sharedShop({ asks: "nothing" });

const delivery = {
  shipping_address: { name: "Ada Mensah", line1: "14 Ring Road", city: "Accra", country: "GH" },
};
const customer = { email: "ada@example.com", phone: "+233201234567", name: "Ada Mensah" };
const personal = ["ada@example.com", "+233201234567", "Ada Mensah", "14 Ring Road"];

/** The text of the order's page, without its style. */
async function read(order: Answered): Promise<string> {
  const answer = await fetch(order.string("/status_url"));
  return (await answer.text()).replace(/<style>.*<\/style>/s, "").replaceAll(/>\s+</g, "><");
}

/** Which of the customer's personal details the page shows. */
const shown = (page: string) => personal.filter((detail) => page.includes(detail));

/** An order of two mugs and a kanga by Ada, paid by transfer. */
async function paidOrder(shop: TestShop): Promise<Answered> {
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  const paid = { method: "bank_transfer" };
  return place(shop, [of(cup, 2), of(cloth)], { customer, ...delivery, paid });
}

test("the page of an order tells what was chosen of a line, and nothing that only the shop reads", async () => {
  const metadata = { public_gift_note: "For <Ada>", bin: "A4", public_tally: 2 };

  const page = await read(await place(shared, [{ ...of(await mug(shared)), metadata }]));

  expect(page).toContain("gift note: For &lt;Ada&gt;");
  expect(page).not.toContain("A4");
  expect(page).not.toContain("tally");
});

describe("the link of an order", () => {
  test("is in its answers and in the events of placing and paying it", async () => {
    const placed = await paidOrder(shared);

    const found = await shared.get(`/v2/orders/${placed.id}`);
    const list = await shared.get("/v2/orders");
    const events = await shared.announced();

    const url = placed.string("/status_url");
    expect(url).toStartWith(`${shared.url}/o/${placed.id}.`);
    expect([found.at("/status_url"), list.at("/data/0/status_url")]).toEqual([url, url]);
    expect(events.filter(({ event }) => /^order\.(placed|paid)$/.test(event))).toMatchObject([
      { event: "order.placed", data: { status_url: url, ...delivery, customer } },
      { event: "order.paid", data: { status_url: url, ...delivery, customer } },
    ]);
  });

  test("is given to a storefront that places an order", async () => {
    const cup = await mug(shared);
    const key = await shared.createKey({ scopes: ["storefront"] });
    const terms = { line_items: [of(cup)], customer, ...delivery };
    const cart = await shared.post("/v2/carts", { line_items: [of(cup)] }, { key });

    const placed = await shared.post("/v2/orders", terms, { key });
    const completed = await shared.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect(shown(await read(placed))).toEqual(personal);
    const order = await shared.get(`/v2/orders/${completed.id}`);
    expect(await read(completed)).toContain(`Order #${order.number("/number")}`);
  });

  test("does not show a storefront the contact of a customer whose email it sent", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const cup = await mug(shop);
    await ada(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    await shop.announced();

    const placed = await shop.post(
      "/v2/orders",
      { line_items: [of(cup)], customer: { email: "ada@example.com" } },
      { key },
    );

    expect(shown(await read(placed))).toEqual([]);
    const found = await shop.get(`/v2/orders/${placed.id}`);
    expect(shown(await read(found))).toEqual(["ada@example.com", "+233201234567", "Ada Mensah"]);
  });

  test("is signed for orders alone and by this mode", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url: recovery } = await abandonedMugs(shop);
    const order = await place(shop, [of(await mug(shop, { sku: "MUG-2" }))]);
    const link = order.string("/status_url");
    const altered = link.slice(0, -1) + (link.endsWith("A") ? "B" : "A");
    const claim = { purpose: "order link", subject: "ord_01h455vb4pex5vsknk084sn02q" } as const;
    const forged = signToken({ ...claim, until: 2 ** 42 }, "guessed");

    const addresses = [
      altered,
      `${shop.url}/o/x`,
      `${shop.url}/o/${forged}`,
      `${shop.url}/o/${tokenOf(recovery)}`,
      `${shop.url}/recover/${tokenOf(link)}`,
    ];
    const answers = await Promise.all(addresses.flatMap((one) => [fetch(one), press(one)]));

    expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 404));
    expect(await answers[0]?.text()).toContain("This link is not valid.");
  });

  test("opens an order of the live shop too, and says no word of test mode", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const key = await shop.createKey({ mode: "live" });
    const made = await shop.post("/v2/products", { name: "Mug", price: 12.5, stock: 1 }, { key });
    const line_items = [{ variant_id: made.string("/variants/0/id"), quantity: 1 }];

    const order = await shop.post("/v2/orders", { line_items }, { key });

    expect(await read(order)).toContain("Order #1001");
    expect(await read(order)).not.toContain("Test mode");
  });

  test("expires two years after the order", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const url = (await paidOrder(shop)).string("/status_url");
    await later(shop, 730 * DAY_MS - 1);

    const before = await fetch(url);
    await later(shop, 1);
    const after = await fetch(url);

    expect([before.status, after.status]).toEqual([200, 410]);
    expect(await after.text()).toContain("This link has expired.");
  });

  test("is neither cached, framed, indexed nor sent as a referrer", async () => {
    const answer = await fetch((await paidOrder(shared)).string("/status_url"));

    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await answer.text()).toContain('<meta name="robots" content="noindex" />');
  });
});

describe("the page of an order", () => {
  test("tells what was sent, cancelled and returned, and where parcels are", async () => {
    const order = await paidOrder(shared);
    const [cups, cloth] = [0, 1].map((at) => order.string(`/line_items/${at}/id`));
    const tracking = { carrier: "DHL", number: "JD01", url: "https://dhl.example/JD01" };
    await fulfill(shared, order, { line_items: [{ line_item_id: cups, quantity: 1 }], tracking });
    const once = { headers: { "Idempotency-Key": "one" } };
    const cancelled = { line_items: [{ line_item_id: cups, quantity: 1 }] };
    await shared.put(`/v2/orders/${order.id}/cancel`, cancelled, once);
    const partly = await read(order);
    await fulfill(shared, order);
    const returned = { line_items: [{ line_item_id: cloth, quantity: 1 }], reason: "damaged" };
    await shared.post(`/v2/orders/${order.id}/returns`, returned);

    const page = await read(order);

    expect(partly).toContain("Partly sent");
    expect(page).toContain("Everything in it has been sent or handed over.");
    expect(page).toContain("1 sent · 1 cancelled");
    expect(page).toContain("1 sent · 1 returned");
    expect(page).toContain('<a class="button" href="https://dhl.example/JD01" rel="noreferrer">');
    expect(page).toContain("Cancelled or returned</dt><dd>USD -32.50");
    expect(page).toContain("Paid · Bank transfer · 5 Jan 2026</dt><dd>USD -45.00");
  });

  test("tells how a cancelled order was refunded, and takes no payment", async () => {
    const order = await paidOrder(shared);
    await cancel(shared, order);
    await shared.fireDue();

    const page = await read(order);

    expect(page).toContain('<span class="headline">Cancelled</span>');
    expect(page).toMatch(/(You have been refunded|Your refund is on its way)\./);
    expect(page).not.toContain("<button");
    expect((await press(order.string("/status_url"))).status).toBe(410);
  });

  test("says that a refund is on its way with the change that makes it", async () => {
    const order = await paidOrder(shared);
    await fulfill(shared, order);
    const returned = {
      line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }],
      reason: "unwanted",
    };

    const atOnce = await shared.beforeTimers(async () => {
      await shared.post(`/v2/orders/${order.id}/returns`, returned);
      return read(order);
    });

    expect(atOnce).toMatch(/Refund on its way · 5 Jan 2026<.dt><dd>USD 12.50/);
    expect(atOnce).not.toContain("Refund due");
  });

  test("does not ask for another try once the order is cancelled", async () => {
    const order = await place(shared, [of(await mug(shared))]);
    const failing = {
      order_id: order.id,
      method: "card",
      card_token: "pm_card_visa_chargeDeclined",
    };
    await shared.post("/v2/payments/initialize", failing);
    const before = await read(order);
    await cancel(shared, order);

    const after = await read(order);

    expect(before).toContain("Your last payment did not go through.");
    expect(after).not.toContain("Your last payment");
  });

  test("says that a payment in review is being checked, and asks for no other", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    const order = await place(shop, [of(await mug(shop))]);
    await press(order.string("/status_url"));
    gateway.pay((await shop.get("/v2/payments")).string("/data/0/id"), { amountMinor: 1 });
    shop.clock.advance(11_000);

    const page = await read(order);

    expect(page).toContain("Not confirmed yet");
    expect(page).toContain("Your payment is being checked.");
    expect(page).not.toContain("<button");
  });

  test("shows how to pay by hand at once, and every other way", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const instructions = "GCB Bank, account 1234 5678 9012";
    await shop.put("/v2/store", { payment_methods: { bank_transfer: { instructions } } });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "bank_transfer" });

    const page = await read(order);

    expect(page).toContain(instructions);
    expect(page).toContain("Give the order number #1001 with your payment.");
    const ways = page.matchAll(/name="method" value="(\w+)"/g);
    expect([...ways].map(([, method]) => method)).toEqual([
      "gateway",
      "mobile_money",
      "card",
      "cash_on_delivery",
      "bank_transfer",
    ]);
  });

  test("leads to one payment however often its button is pressed", async () => {
    const order = await place(shared, [of(await mug(shared))]);
    const url = order.string("/status_url");

    const all = await Promise.all([press(url), press(url), press(url)]);

    const places = all.map(({ status, headers }) => `${status} ${headers.get("location")}`);
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toStartWith(`303 ${shared.url}/test/pay/`);
    const payments = await shared.get(`/v2/payments?order_id=${order.id}`);
    expect(payments.list("/data")).toHaveLength(1);
  });

  test("changes nothing when it is opened", async () => {
    const order = await place(shared, [of(await mug(shared))]);
    await shared.announced();

    await fetch(order.string("/status_url"));
    await fetch(order.string("/status_url"), { method: "HEAD" });

    expect(await shared.announcedNames()).toEqual([]);
    expect((await shared.get(`/v2/orders/${order.id}`)).body).toEqual(order.body);
  });

  test("shows neither address nor contact once nothing changed for 30 days, and says why", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await paidOrder(shop);
    await later(shop, 30 * DAY_MS - 1);
    const before = await read(order);
    await later(shop, 1);

    const after = await read(order);
    await fulfill(shop, order);

    expect(shown(before)).toEqual(personal);
    expect(shown(after)).toEqual([]);
    expect(after).toContain("because your order has not changed for 30 days");
    expect(shown(await read(order))).toEqual(personal);
  });

  test("shows nothing of a customer who was erased", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await paidOrder(shop);
    await fulfill(shop, order, { tracking: { carrier: "DHL", number: "JD01", url: null } });
    await shop.post(`/v2/customers/${order.string("/customer_id")}/erase`);

    const page = await read(order);

    expect(shown(page)).toEqual([]);
    expect(page).not.toContain("JD01");
    expect(page).not.toContain("Ghana");
    expect(page).toContain("Mug");
  });
});
