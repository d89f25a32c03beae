// Emails to customers, from the event to a mail server on loopback.

import { describe, expect, test } from "bun:test";

import { forgetCustomer } from "#customers/forget-customer.ts";
import { isId } from "#kernel/id.ts";
import { MINUTE_MS } from "#kernel/time.ts";

import { FROM, openMailShop } from "./mail-shop.ts";

/** The wait of the email about a shipment. */
const SECOND_THOUGHT_MS = 10_000;
const PAID = { paid: { method: "bank_transfer" } };

describe("an order", () => {
  test("that is paid arrives as one email, from the shop to its customer", async () => {
    await using opened = await openMailShop();
    const order = await opened.order(PAID);

    expect(await opened.emails()).toEqual(["order_placed skipped already_paid", "order_paid sent"]);
    const [email, ...others] = opened.receiver.heard;
    expect(others).toEqual([]);
    expect(email).toMatchObject({ from: FROM, to: "ada@example.com" });
    const listed = await opened.get("/v2/emails?template=order_paid");
    expect(listed.at("/data/0")).toMatchObject({ order_id: order.id, attempts: 1, error: null });
    expect(Object.fromEntries(email?.headers ?? [])).toMatchObject({
      from: `My shop <${FROM}>`,
      to: "Ada Mensah <ada@example.com>",
      "message-id": `<${listed.string("/data/0/id")}@127.0.0.1>`,
      "auto-submitted": "auto-generated",
    });
  });

  test("has an email for its shipment, and none for a corrected tracking", async () => {
    await using opened = await openMailShop();
    const { id } = await opened.order();
    opened.shop.clock.advance(MINUTE_MS);
    const shipped = await opened.ship(id);
    opened.shop.clock.advance(MINUTE_MS);
    const path = `/v2/orders/${id}/fulfillments/${shipped.string("/fulfillments/0/id")}`;
    await opened.shop.put(path, { tracking: { number: "GH1" } }, { key: opened.key });

    opened.shop.clock.advance(SECOND_THOUGHT_MS);
    expect(await opened.emails()).toEqual(["order_placed sent", "order_shipped sent"]);
  });

  test("has the email for its shipment 10 seconds later", async () => {
    await using opened = await openMailShop();
    const { id } = await opened.order();
    await opened.ship(id);
    await opened.emails();

    opened.shop.clock.advance(SECOND_THOUGHT_MS - 1);
    const before = await opened.emails();
    opened.shop.clock.advance(1);

    expect(before).toEqual(["order_placed sent", "order_shipped waiting"]);
    expect(await opened.emails()).toEqual(["order_placed sent", "order_shipped sent"]);
  });

  test("that was marked as sent by mistake has no email for it, also when asked again", async () => {
    await using opened = await openMailShop();
    const { id } = await opened.order();
    const shipped = await opened.ship(id);
    await opened.emails();
    await opened.unship(shipped);
    opened.shop.clock.advance(SECOND_THOUGHT_MS);
    const skipped = await opened.emails();
    const email = (await opened.get("/v2/emails?template=order_shipped")).string("/data/0/id");
    await opened.post(`/v2/emails/${email}/resend`);

    expect(skipped).toEqual(["order_placed sent", "order_shipped skipped shipment_cancelled"]);
    expect(await opened.emails()).toEqual(skipped);
    expect(opened.receiver.heard).toHaveLength(1);
  });

  test("that is sent after all has an email of all of it", async () => {
    await using opened = await openMailShop();
    const { id } = await opened.order();
    await opened.unship(await opened.ship(id));
    await opened.ship(id);
    opened.shop.clock.advance(SECOND_THOUGHT_MS);

    expect(await opened.emails()).toEqual([
      "order_placed sent",
      "order_shipped skipped shipment_cancelled",
      "order_shipped sent",
    ]);
    // Both are due at once.
    const subjects = opened.receiver.heard.map(({ headers }) => headers.get("subject") ?? "");
    expect(subjects.toSorted()).toEqual([
      "We have your order #1001",
      "Your order #1001 is on its way",
    ]);
  });

  test("that is refunded and cancelled has an email of each", async () => {
    await using opened = await openMailShop();
    const { id } = await opened.order(PAID);
    await opened.post(`/v2/orders/${id}/refunds`, { amount: 5 });
    await opened.shop.put(`/v2/orders/${id}/cancel`, {}, { key: opened.key });

    expect((await opened.emails()).slice(1).toSorted()).toEqual([
      "order_cancelled sent",
      "order_paid sent",
      "order_refunded sent",
    ]);
  });

  test("without an email has none", async () => {
    await using opened = await openMailShop();
    await opened.order({ customer: { phone: "+233201234567" } });

    expect(await opened.emails()).toEqual([]);
  });

  test("of an erased customer has no email any more, though one was on its way", async () => {
    await using opened = await openMailShop({ toMessage: () => "451 Later" });
    const { id, customer } = Object(
      (await opened.order({ ...PAID, fulfilled: true, customer: ADA })).body,
    );
    await opened.emails();
    await opened.post(`/v2/customers/${customer.id}/erase`);
    opened.shop.clock.advance(MINUTE_MS);

    expect(await opened.emails()).toContain("order_paid skipped no_recipient");
    expect(JSON.stringify(await opened.get(`/v2/emails?order_id=${id}`))).not.toContain("ada@");
  });

  test("of a customer whose orders are not erased yet is not sent any more", async () => {
    await using opened = await openMailShop({ toMessage: () => "451 Later" });
    const id = (await opened.order()).string("/customer_id");
    await opened.emails();
    if (!isId("customer", id)) throw new Error(id);
    await opened.shop.live.database.write((tx) => forgetCustomer(tx, id, null));
    opened.shop.clock.advance(MINUTE_MS);

    expect(await opened.emails()).toEqual(["order_placed skipped no_recipient"]);
  });
});

const ADA = { email: "ada@example.com", name: "Ada Mensah" };

describe("a mail server", () => {
  test("that is busy or breaks off hears the same message again after a wait", async () => {
    const replies = ["451 4.7.1 Later", "cut"];
    await using opened = await openMailShop({ toMessage: (nth) => replies[nth - 1] });
    await opened.order();
    const told = [await opened.emails()];
    opened.shop.clock.advance(MINUTE_MS);
    told.push(await opened.emails());
    opened.shop.clock.advance(10 * MINUTE_MS);
    told.push(await opened.emails());

    expect(told.flat()).toEqual([
      "order_placed waiting busy 451 4.7.1",
      "order_placed waiting connection",
      "order_placed sent",
    ]);
    const ids = opened.receiver.heard.map(({ headers }) => headers.get("message-id"));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test("that refuses the address ends it, and the merchant may ask for it again", async () => {
    let reply: string | undefined = "550 5.1.1 No mailbox ada@example.com";
    await using opened = await openMailShop({ toRecipient: () => reply });
    await opened.order();
    const refused = await opened.emails();
    const { id } = Object((await opened.get("/v2/emails")).at("/data/0"));
    reply = undefined;
    opened.shop.clock.advance(48 * 60 * MINUTE_MS);
    const resent = await opened.post(`/v2/emails/${id}/resend`);

    expect(refused).toEqual(["order_placed failed rejected 550 5.1.1"]);
    expect(resent.body).toMatchObject({ status: "waiting", attempts: 0, error: null });
    expect(await opened.emails()).toEqual(["order_placed sent"]);
  });

  test("that is mended takes at once what the merchant does not let wait", async () => {
    let reply: string | undefined = "535 5.7.8 Wrong password";
    await using opened = await openMailShop({ toRecipient: () => reply });
    await opened.order();
    const waiting = await opened.emails();
    reply = undefined;
    const { id } = Object((await opened.get("/v2/emails")).at("/data/0"));
    const asked = await opened.post(`/v2/emails/${id}/resend`);

    expect(waiting).toEqual(["order_placed waiting authentication 535 5.7.8"]);
    expect(asked.body).toMatchObject({ status: "waiting", attempts: 1 });
    expect(await opened.emails()).toEqual(["order_placed sent"]);
    expect(opened.receiver.heard[0]?.headers.get("message-id")).toBe(`<${id}@127.0.0.1>`);
  });

  test("that takes nothing for a day has the email failed", async () => {
    await using opened = await openMailShop({ greeting: () => "554 No service" });
    await opened.order();
    for (const minutes of [0, 1, 10, ...Array<number>(23).fill(60)]) {
      opened.shop.clock.advance(minutes * MINUTE_MS);
      await opened.emails();
    }

    const { data } = Object((await opened.get("/v2/emails")).body);
    expect(data).toMatchObject([{ status: "failed", attempts: 26, error: "busy 554" }]);
  });

  test("that takes one connection at a time has the others take turns, which are no attempts", async () => {
    const full = new Set([2, 3]);
    const greeting = (nth: number) =>
      full.has(nth) ? "421 4.7.0 Too many connections" : undefined;
    await using opened = await openMailShop({ greeting });
    await opened.order();
    await opened.order({ customer: { email: "kofi@example.com" } });
    const [before] = [await opened.emails()];
    for (const _ of [1, 2]) {
      opened.shop.clock.advance(5_000);
      await opened.emails();
    }

    expect(before.toSorted()).toEqual(["order_placed sent", "order_placed waiting busy 421 4.7.0"]);
    expect((await opened.get("/v2/emails")).list("/data")).toMatchObject([
      { status: "sent", attempts: 1 },
      { status: "sent", attempts: 1 },
    ]);
  });

  test("answers a test email at once", async () => {
    const toRecipient = (to: string) => (to.startsWith("gone") ? "550 5.1.1 Gone" : undefined);
    await using opened = await openMailShop({ toRecipient });
    const taken = await opened.post("/v2/emails/test", { to: "me@shop.example" });
    const refused = await opened.post("/v2/emails/test", { to: "gone@shop.example" });

    expect(taken.body).toEqual({ accepted: true, error: null, response: "250 2.0.0 Taken" });
    expect(refused.body).toMatchObject({ accepted: false, error: "rejected" });
    expect(opened.receiver.heard.map(({ to }) => to)).toEqual(["me@shop.example"]);
  });
});
