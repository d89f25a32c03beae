// The page of one order, and what can be done there.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { orderCounter, pass, settle } from "../payments/scripted-shop.ts";
import { pay } from "../sandbox/paying.ts";
import type { Answered } from "../support/shop.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

let dashboard: DashboardShop;
let variant: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const methods = { bank_transfer: { enabled: true }, cash_on_delivery: { enabled: true } };
  await shop.put("/v2/store", { payment_methods: methods });
  const product = await shop.post("/v2/products", { name: "Mug", price: "12.50", stock: 100 });
  variant = product.string("/variants/0/id");
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** A paid order of two mugs, or one that is paid otherwise. */
function place(given: object = {}): Promise<Answered> {
  return dashboard.shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 2 }],
    customer: { name: "Ada Mensah", phone: "+233551234987" },
    payment_method: "bank_transfer",
    ...given,
  });
}

async function placePaid(): Promise<Answered> {
  const placed = await place();
  await dashboard.owner.send(`/dashboard/test/orders/${placed.id}/pay/record`, {
    "/method": "bank_transfer",
    form: placed.id,
    "/amount": "25.00",
  });
  return dashboard.shop.get(`/v2/orders/${placed.id}`);
}

const orderNow = (id: string) => dashboard.shop.get(`/v2/orders/${id}`);
const pageOf = (id: string) => dashboard.owner.get(`/dashboard/test/orders/${id}`);

describe("the page of an order", () => {
  test("says how far it is, what is in it, and whose it is", async () => {
    const { id } = await placePaid();

    const { status, text, html } = await pageOf(id);

    expect(status).toBe(200);
    for (const said of ["2 Mug", "USD 25.00", "Ada Mensah", "To pack", "Mark as sent", "by Ama"]) {
      expect(text).toContain(said);
    }
    expect(html).toContain('href="tel:+233551234987"');
    expect(html).toContain("https://wa.me/233551234987?text=Hello%20Ada");
  });

  test("says what an online payment was paid with, and what it cost", async () => {
    const { id } = await place({ payment_method: "card" });
    await pay(dashboard.shop, id, { card: "pm_card_visa" });

    const { text } = await pageOf(id);

    expect(text).toContain("Visa ending in 4242 · USD 0.49 fee");
  });

  test("is not found for an order that is not there", async () => {
    const { status, text } = await pageOf("ord_01hzy3v9q8f6m2k7c4d5n0r1ab");

    expect([status, text]).toEqual([404, expect.stringContaining("Page not found")]);
  });

  test("has no act for a viewer, and takes none", async () => {
    const { id } = await placePaid();
    const viewer = await dashboard.join("viewer", "Esi");

    const page = await viewer.get(`/dashboard/test/orders/${id}`);
    const sent = await viewer.send(`/dashboard/test/orders/${id}/fulfill`, { version: 3 });

    expect(page.html).not.toContain('method="post" action="/dashboard/test/orders');
    expect(sent.status).toBe(403);
    expect((await orderNow(id)).at("/fulfillment_status")).toBe("unfulfilled");
  });
});

describe("an order", () => {
  test("is marked as sent once, also by a double tap", async () => {
    const { id } = await placePaid();
    const version = (await pageOf(id)).field("version");
    const path = `/dashboard/test/orders/${id}/fulfill`;

    const taps = await Promise.all([1, 2].map(() => dashboard.owner.send(path, { version })));

    expect(taps.map(({ status, location }) => [status, location])).toEqual(
      taps.map(() => [303, `/dashboard/test/orders/${id}?done=sent`]),
    );
    expect((await orderNow(id)).list("/fulfillments")).toHaveLength(1);
  });

  test("says that it was sent to who sent it, and not to who follows a link of another site", async () => {
    const { id } = await placePaid();
    const version = (await pageOf(id)).field("version");
    const path = `/dashboard/test/orders/${id}`;

    const own = await dashboard.owner.sendAndFollow(`${path}/fulfill`, { version });
    const foreign = await dashboard.owner.get(`${path}?done=refunded`, {
      "Sec-Fetch-Site": "cross-site",
    });
    const mailed = await dashboard.owner.get(`${path}?done=refunded`, { "Sec-Fetch-Site": "none" });

    expect(own.text).toContain("Marked as sent.");
    for (const { text } of [foreign, mailed]) expect(text).not.toContain("Refund recorded.");
  });

  test("leads, once it is sent, to what is left to pack", async () => {
    const [sent, left] = [await placePaid(), await placePaid()];
    const path = `/dashboard/test/orders/${sent.id}`;
    const version = (await pageOf(sent.id)).field("version");

    const page = await dashboard.owner.sendAndFollow(`${path}/fulfill`, { version });

    expect(page.text).toMatch(/Marked as sent\. Undo \d+\+? left to pack/);
    const list = await dashboard.owner.get("/dashboard/test/orders?show=pack");
    expect(page.html).toContain('href="/dashboard/test/orders?show=pack"');
    expect(list.html).toContain(left.id);
  });

  test("that was changed meanwhile is shown as it is now, and not sent", async () => {
    const { id } = await placePaid();
    const version = (await pageOf(id)).field("version");
    await dashboard.shop.put(`/v2/orders/${id}`, { notes: "Ring twice" });

    const late = await dashboard.owner.send(`/dashboard/test/orders/${id}/fulfill`, { version });

    expect([late.status, late.text]).toEqual([
      412,
      expect.stringContaining("changed in the meantime"),
    ]);
    expect(late.text).toContain("Ring twice");
    expect((await orderNow(id)).list("/fulfillments")).toHaveLength(0);
  });

  test("is sent in parts, with its tracking", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(`/dashboard/test/orders/${id}/send`);

    const sent = await dashboard.owner.send(`/dashboard/test/orders/${id}/send/part`, {
      version: page.field("version"),
      "/line_items/0/line_item_id": page.field("/line_items/0/line_item_id"),
      "/line_items/0/quantity": 1,
      "/tracking/carrier": "DHL",
      "/tracking/number": "A1",
      "/tracking/url": "",
    });

    expect(sent.location).toBe(`/dashboard/test/orders/${id}?done=sent`);
    const order = await orderNow(id);
    expect(order.at("/fulfillment_status")).toBe("partially_fulfilled");
    expect(order.at("/fulfillments/0/tracking")).toMatchObject({ carrier: "DHL", number: "A1" });
  });

  test("of more units than are left is refused at the line, with what was typed", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(`/dashboard/test/orders/${id}/send`);

    const refused = await dashboard.owner.send(`/dashboard/test/orders/${id}/send/part`, {
      version: page.field("version"),
      "/line_items/0/line_item_id": page.field("/line_items/0/line_item_id"),
      "/line_items/0/quantity": 7,
      "/tracking/carrier": "DHL",
    });

    expect(refused.status).toBe(422);
    expect(refused.field("/line_items/0/quantity")).toBe("7");
    expect(refused.field("/tracking/carrier")).toBe("DHL");
    expect(refused.html).toContain('class="fault"');
  });

  test("is cancelled, and the money goes back", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(`/dashboard/test/orders/${id}/cancel`);
    expect(page.text).toContain("USD 25.00 has been paid.");

    await dashboard.owner.send(`/dashboard/test/orders/${id}/cancel/cancel`, {
      version: page.field("version"),
      "/reason": "inventory",
      "/refund": "true",
      "/note": "",
    });

    await settle(dashboard.shop);
    const order = await orderNow(id);
    expect([order.at("/status"), order.at("/cancel_reason")]).toEqual(["cancelled", "inventory"]);
    const after = await pageOf(id);
    expect(after.text).toContain("Hand this money back yourself.");

    await dashboard.owner.send(`/dashboard/test/orders/${id}/close`, {
      "@id": after.field("@id"),
      version: after.field("version"),
    });

    expect((await orderNow(id)).at("/refunded_total")).toBe(25);
  });

  test("whose money stays is cancelled without a refund", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(`/dashboard/test/orders/${id}/cancel`);

    await dashboard.owner.send(`/dashboard/test/orders/${id}/cancel/cancel`, {
      version: page.field("version"),
      "/refund": "false",
    });

    const order = await orderNow(id);
    expect([order.at("/status"), order.at("/kept_total")]).toEqual(["cancelled", 25]);
  });

  test("takes items back into stock", async () => {
    const { id } = await placePaid();
    await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    const page = await dashboard.owner.get(`/dashboard/test/orders/${id}/return`);

    const sent = await dashboard.owner.send(`/dashboard/test/orders/${id}/return/units`, [
      ["version", page.field("version")],
      ["/line_items/0/line_item_id", page.field("/line_items/0/line_item_id")],
      ["/line_items/0/quantity", "1"],
      ["/reason", "damaged"],
      ["/restock", "false"],
      ["/restock", "true"],
      ["/refund", "true"],
    ]);

    expect(sent.location).toBe(`/dashboard/test/orders/${id}?done=returned`);
    const returns = await dashboard.shop.get(`/v2/orders/${id}/returns`);
    expect(returns.at("/data/0/line_items/0")).toMatchObject({ quantity: 1, restocked: 1 });
  });

  test("is refunded once by one showing of the form, and again by another", async () => {
    const { id } = await placePaid();
    const path = `/dashboard/test/orders/${id}/refund`;
    const fields = async () => ({
      form: (await dashboard.owner.get(path)).field("form"),
      "/amount": "5.00",
      "/reason": "other",
    });
    const first = await fields();

    await dashboard.owner.send(`${path}/amount`, first);
    const again = await dashboard.owner.send(`${path}/amount`, first);
    expect(again.location).toStartWith(`/dashboard/test/orders/${id}?done=already&again=`);
    expect((await orderNow(id)).at("/refunded_total")).toBe(5);
    const own = { "Sec-Fetch-Site": "same-origin" };
    const told = await dashboard.owner.get(again.location, own);
    expect(told.text).toContain("Already done: nothing was done twice. Do it again");
    expect(told.html).toContain(`href="${path}"`);

    await dashboard.owner.send(`${path}/amount`, await fields());
    expect((await orderNow(id)).at("/refunded_total")).toBe(10);
  });

  test("that is paid by hand is paid once by a double tap", async () => {
    const { id } = await place();
    const path = `/dashboard/test/orders/${id}/pay`;
    const fields = {
      form: (await dashboard.owner.get(path)).field("form"),
      "/method": "bank_transfer",
      "/amount": "10.00",
    };

    await dashboard.owner.send(`${path}/record`, fields);
    await dashboard.owner.send(`${path}/record`, fields);

    const order = await orderNow(id);
    expect([order.at("/paid_total"), order.at("/due")]).toEqual([10, 15]);
  });

  test("tells how much came by hand, also where that was corrected", async () => {
    const { id } = await place();
    const path = `/dashboard/test/orders/${id}/pay`;
    const form = (await dashboard.owner.get(path)).field("form");
    await dashboard.owner.send(`${path}/record`, { form, "/method": "cash", "/amount": "10.00" });
    const payments = await dashboard.shop.get(`/v2/payments?order_id=${id}`);
    const reference = payments.string("/data/0/reference");
    await dashboard.shop.post(`/v2/payments/${reference}/correct`, { amount: "9.00" });

    const { text } = await pageOf(id);

    expect(text).toContain("Paid USD 10.00 by cash");
    expect(text).toContain("A payment was corrected to USD 9.00");
  });

  test("whose customer chose a way to pay and paid otherwise waits for nothing more", async () => {
    const { id } = await place();
    const method = "bank_transfer";
    const chosen = await dashboard.shop.post("/v2/payments/initialize", { order_id: id, method });
    const path = `/dashboard/test/orders/${id}/pay`;
    const form = (await dashboard.owner.get(path)).field("form");

    await dashboard.owner.send(`${path}/record`, { form, "/method": "cash", "/amount": "25.00" });
    await dashboard.shop.fireDue();

    expect((await orderNow(id)).at("/payment_status")).toBe("paid");
    expect((await dashboard.shop.get(`/v2/payments/${chosen.id}`)).at("/status")).toBe("cancelled");
  });

  test("is told on which day money came, and by which name its bank has it", async () => {
    const { id } = await place();
    const path = `/dashboard/test/orders/${id}/pay`;
    const form = (await dashboard.owner.get(path)).field("form");
    const fields = { form, "/method": "bank_transfer", "/amount": "25.00" };
    const typed = { "/received_on": "2001-02-03", "/transaction_reference": "FT-0815" };

    const refused = await dashboard.owner.send(`${path}/record`, { ...fields, ...typed });
    await dashboard.owner.send(`${path}/record`, { ...fields, ...typed, "/received_on": "" });

    expect([refused.status, refused.field("/received_on")]).toEqual([422, "2001-02-03"]);
    expect(refused.html).toContain('id="f-received_on-fault"');
    expect((await pageOf(id)).text).toContain("FT-0815");
  });

  test("may get more money, also when it is cancelled", async () => {
    const paid = await placePaid();
    const path = (id: string) => `/dashboard/test/orders/${id}/pay`;
    const form = (await dashboard.owner.get(path(paid.id))).field("form");
    const fields = { form, "/method": "cash", "/amount": "1.00" };
    await dashboard.owner.send(`${path(paid.id)}/record`, fields);
    const cancelled = await place();
    await dashboard.shop.post(`/v2/orders/${cancelled.id}/cancel`);

    expect((await orderNow(paid.id)).at("/payment_status")).toBe("overpaid");
    expect((await dashboard.owner.get(path(cancelled.id))).text).toContain(
      "The order is cancelled. What you record now waits to be handed back.",
    );
  });

  test("is paid once by two taps at once, and both say so", async () => {
    const { id } = await place();
    const path = `/dashboard/test/orders/${id}/pay`;
    const { owner } = dashboard;
    const form = (await owner.get(path)).field("form");
    const fields = { form, "/method": "bank_transfer", "/amount": "10.00" };

    const both = await Promise.all([1, 2].map(() => owner.send(`${path}/record`, fields)));

    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await orderNow(id)).at("/paid_total")).toBe(10);
  });

  test.each(["12,5,0", "0", "1.234", ""])(
    "of which %p was paid asks for no payment",
    async (amount) => {
      const { id } = await place();
      const path = `/dashboard/test/orders/${id}/pay`;

      const page = await dashboard.owner.send(`${path}/record`, {
        form: (await dashboard.owner.get(path)).field("form"),
        "/method": "bank_transfer",
        "/amount": amount,
      });

      expect([page.status, page.field("/amount")]).toEqual([422, amount]);
      expect(page.html).toContain('id="f-amount-fault"');
      expect((await orderNow(id)).at("/payment_status")).toBe("unpaid");
    },
  );

  test("with a rest too small to ask for is written off", async () => {
    const { id } = await place({ payment_method: "cash_on_delivery" });

    await dashboard.owner.send(`/dashboard/test/orders/${id}/write-off/amount`, {
      form: "once",
      "/amount": "25.00",
    });

    expect((await orderNow(id)).at("/due")).toBe(0);
  });

  test("has the merchant's note in its field exactly as it was saved", async () => {
    const { id } = await place({ metadata: { merchant_note: "Gift wrap" } });

    const { html } = await dashboard.owner.get(`/dashboard/test/orders/${id}`);

    expect(html).toContain(">Gift wrap</textarea>");
  });

  test("keeps a note of the merchant beside what programs keep", async () => {
    const { id } = await place({ metadata: { till: "2" } });
    const note = async (text: string) =>
      dashboard.owner.send(`/dashboard/test/orders/${id}/note`, {
        version: (await orderNow(id)).number("/version"),
        "/metadata/merchant_note": text,
      });

    await note("Gift wrap");
    expect((await orderNow(id)).at("/metadata")).toEqual({ till: "2", merchant_note: "Gift wrap" });

    await note("");
    expect((await orderNow(id)).at("/metadata")).toEqual({ till: "2" });
  });
});

test("an owner gives the password again to refund more than the shop's limit, and not for less", async () => {
  await using other = await openDashboard();
  const { shop, owner } = other;
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const sold = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 2 }],
    channel: "pos",
    paid: { method: "bank_transfer" },
  });
  const path = `/dashboard/test/orders/${sold.id}/refund/amount`;
  const give = (form: string, amount: string) =>
    owner.send(path, { form, "/amount": amount, "/reason": "other" });
  shop.clock.advance(60 * 60_000);

  const less = await give("one", "4.00");
  const more = await give("two", "6.00");
  const otherwise = await give("three", "6,00");
  const order = await shop.get(`/v2/orders/${sold.id}`);

  expect([less.status, more.status, otherwise.status]).toEqual([303, 200, 200]);
  for (const { html } of [more, otherwise]) expect(html).toContain('name="confirm-password"');
  expect(order.at("/refunded_total")).toBe(4);
});

test("staff refund up to the shop's limit, and an owner more", async () => {
  const { shop, owner } = dashboard;
  const staff = await dashboard.join("staff", "Yaw");
  const { id } = await placePaid();
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const path = `/dashboard/test/orders/${id}/refund`;
  const give = (person: typeof staff, form: string) =>
    person.sendAndFollow(`${path}/amount`, { form, "/amount": "6.00", "/reason": "other" });

  const refused = await give(staff, "one");
  const given = await give(owner, "two");
  await shop.put("/v2/store", { refund_limit: null });

  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringContaining("More needs an owner"),
  ]);
  expect(given.status).toBe(200);
  expect((await orderNow(id)).at("/refunded_total")).toBe(6);
});

test("the story of an order that waits for its payment is told in words", async () => {
  await using other = await openDashboard();
  const { id } = await (await orderCounter(other.shop))();
  await pass(other.shop, 3_700);

  const { text } = await other.owner.get(`/dashboard/test/orders/${id}`);

  expect(text).toContain("Not paid within an hour");
  expect(text).not.toContain("cart.abandoned");
});

test("the story of an order tells that goods took back what was written off", async () => {
  const { shop, owner } = dashboard;
  const { id } = await place();
  const asked = { order_id: id, method: "bank_transfer", amount: "20.00" };
  const payment = await shop.post("/v2/payments/initialize", asked);
  await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: "20.00" });
  await shop.post(`/v2/orders/${id}/write-off`, { amount: "5.00" });
  await shop.put(`/v2/orders/${id}/cancel`, {});

  const { html } = await owner.get(`/dashboard/test/orders/${id}`);

  expect(html).toContain("5.00 written off");
  expect(html).toContain("The write-off was taken back");
  expect(html).toContain("5.00 less was sold");
});
