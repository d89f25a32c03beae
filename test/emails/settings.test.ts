// When there are emails: what the operator and the merchant set, and what test mode does instead of sending.

import { describe, expect, test } from "bun:test";

import { ada, mug } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop } from "../support/shop.ts";
import { FROM, linesOf, openMailShop, sendDue } from "./mail-shop.ts";

describe("a shop without a mail server", () => {
  test("makes no emails of live mode, and refuses a test email", async () => {
    await using opened = await openMailShop({}, { settings: {} });
    await opened.order();
    const tried = await opened.post("/v2/emails/test", { to: "me@shop.example" });

    expect(await opened.emails()).toEqual([]);
    expect([tried.status, tried.code]).toEqual([409, "email_not_configured"]);
  });

  test("that gets one tells nothing of what happened before, also if it had one earlier", async () => {
    using folder = openScratchFolder();
    for (const settings of [{}, undefined, {}]) {
      await using opened = await openMailShop({}, { folder, ...(settings && { settings }) });
      await opened.order();
      await opened.emails();
    }
    await using opened = await openMailShop({}, { folder });
    const before = await opened.emails();
    await opened.order({ customer: { email: "kofi@example.com" } });
    await opened.emails();

    expect(before).toHaveLength(1);
    expect(opened.receiver.heard.map(({ to }) => to)).toEqual(["kofi@example.com"]);
  });
});

describe("the merchant", () => {
  test("turns one email off, and the others stay on", async () => {
    await using opened = await openMailShop();
    const body = { notifications: { order_placed: false } };
    const store = await opened.shop.put("/v2/store", body, { key: opened.key });
    const { id } = await opened.order();
    await opened.ship(id);

    expect(store.at("/notifications")).toMatchObject({ order_placed: false, order_shipped: true });
    expect(await opened.emails()).toEqual(["order_shipped sent"]);
  });
});

describe("an order that is paid before it ships", () => {
  test("has an email at once only where the merchant takes the payment by hand", async () => {
    await using shop = await openTestShop();
    const instructions = "Send it to till 4711.";
    await shop.put("/v2/store", {
      payment_methods: { mobile_money: { by: "hand", instructions } },
    });
    const line_items = [{ variant_id: (await mug(shop)).variantId, quantity: 1 }];
    for (const payment_method of ["card", "mobile_money"]) {
      const customer = { email: "ada@example.com" };
      await shop.post("/v2/orders", { customer, line_items, payment_method });
    }
    await sendDue(shop, "test");

    expect(linesOf(await shop.get("/v2/emails"))).toEqual(["order_placed sent"]);
    const { data } = Object((await shop.get("/v2/test/inbox?name=mail")).body);
    expect(data).toMatchObject([{ body: expect.stringContaining(instructions) }]);
  });
});

describe("test mode", () => {
  test("sends the emails of what has happened before its clock jumps", async () => {
    await using shop = await openTestShop();
    const line_items = [{ variant_id: (await mug(shop)).variantId, quantity: 1 }];
    const customer = { email: "ada@example.com" };
    await shop.post("/v2/orders", { customer, line_items, payment_method: "cash_on_delivery" });

    const now = new Date(shop.clock.now() + 5 * 86_400_000).toISOString();
    expect((await shop.put("/v2/test/clock", { now })).status).toBe(200);

    expect(linesOf(await shop.get("/v2/emails"))).toEqual(["order_placed sent"]);
  });

  test("sends the emails of what happens on the way as its clock is moved", async () => {
    await using shop = await openTestShop();
    const line_items = [{ variant_id: (await mug(shop)).variantId, quantity: 1 }];
    const customer = { email: "ada@example.com" };
    await shop.post("/v2/orders", { customer, line_items, payment_method: "bank_transfer" });
    const moved = await shop.post("/v2/test/clock/advance", { seconds: 10 * 86_400 });

    expect(linesOf(await shop.get("/v2/emails"))).toEqual([
      "order_placed sent",
      "order_cancelled sent",
    ]);
    expect(moved.body).toMatchObject({ settled: true });
    const fired = moved.list("/fired").map((one) => Object(one).name);
    expect(fired.filter((name) => name !== "alerts.summary")).toEqual([
      "emails.send",
      "expire_order",
      "emails.send",
    ]);
  });

  test("sends nothing out: its emails are in the inbox, until their customer is erased", async () => {
    await using opened = await openMailShop();
    const { shop } = opened;
    const customer_id = await ada(shop);
    const line_items = [{ variant_id: (await mug(shop)).variantId, quantity: 1 }];
    const sale = { customer_id, line_items, paid: { method: "cash" }, fulfilled: true };
    await shop.post("/v2/orders", { ...sale, payment_method: "cash" });
    await sendDue(shop, "test");
    const inbox = await shop.get("/v2/test/inbox?name=mail");
    await shop.post(`/v2/customers/${customer_id}/erase`);

    expect(inbox.at("/data/0/headers")).toMatchObject({
      to: "Ada Mensah <ada@example.com>",
      from: `My shop <${FROM}>`,
      subject: expect.any(String),
      "message-id": expect.stringMatching(/^<eml_\w+@127\.0\.0\.1>$/),
    });
    expect(opened.receiver.heard).toEqual([]);
    expect((await shop.get("/v2/test/inbox?name=mail")).list("/data")).toEqual([]);
  });

  test("has one email for each order of a rush, also behind many that call for none", async () => {
    await using shop = await openTestShop();
    const { variantId: variant_id } = await mug(shop, { stock: 200 });
    const line_items = [{ variant_id, quantity: 1 }];
    const place = (orders: number, body: object) =>
      Promise.all(
        Array.from({ length: orders }, (_, nth) => {
          const customer = { email: `c${nth}@example.com` };
          return shop.post("/v2/orders", { line_items, customer, ...body });
        }),
      );
    await place(35, { payment_method: "card" });
    await place(110, { payment_method: "cash_on_delivery", customer: { phone: "+233201234567" } });
    await place(40, { payment_method: "cash_on_delivery" });
    await Promise.all([sendDue(shop, "test"), sendDue(shop, "test")]);

    const emails = (await shop.get("/v2/emails?limit=100")).list("/data").map(Object);
    expect(emails.map(({ status }) => status)).toEqual(Array(40).fill("sent"));
    expect(new Set(emails.map(({ order_id }) => order_id)).size).toBe(40);
  });

  test("has no emails after a reset but those of what happens then", async () => {
    await using shop = await openTestShop();
    const order = async () => {
      const line_items = [{ variant_id: (await mug(shop)).variantId, quantity: 1 }];
      const customer = { email: "ada@example.com" };
      await shop.post("/v2/orders", { customer, line_items, payment_method: "cash_on_delivery" });
      await sendDue(shop, "test");
    };
    await order();
    await shop.post("/v2/test/reset");
    const emptied = linesOf(await shop.get("/v2/emails"));
    await order();

    expect(emptied).toEqual([]);
    expect(linesOf(await shop.get("/v2/emails"))).toEqual(["order_placed sent"]);
  });
});
