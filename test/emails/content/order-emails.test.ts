// What customers are told by email about their orders, and when there is nothing to tell.

import { describe, expect, test } from "bun:test";

import { openScriptedShop } from "../../payments/scripted-shop.ts";
import { cancel, fulfill, of, place } from "../../sales/orders/counter.ts";
import { tax } from "../../sales/pricing/priced-shop.ts";
import { kanga, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { emailAbout, sentAbout } from "./read-email.ts";

const shared = sharedShop();

const customer = { email: "ada@example.com", name: "Ada Mensah" };
const byTransfer = { customer, payment_method: "bank_transfer" };
const tracking = { carrier: "DHL", number: "JD01", url: "https://dhl.example/JD01" };

/** An order of two mugs and a kanga by Ada, paid by transfer. */
async function paidOrder(shop: TestShop): Promise<Answered> {
  const [cup, cloth] = [await mug(shop, { name: "Mug" }), await kanga(shop, { name: "Kanga" })];
  return place(shop, [of(cup, 2), of(cloth)], { customer, paid: { method: "bank_transfer" } });
}

/** A part of the order: a unit of its first line. */
function one(order: Answered) {
  return [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }];
}

describe("the email about an order that was placed", () => {
  test("says how to pay by hand, and answers go to the shop", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", {
      name: "Akwaaba",
      contact_email: "help@akwaaba.example",
      contact_phone: "+233302221234",
      support_line: "Open from 9 to 5.",
      payment_methods: { bank_transfer: { instructions: "GCB Bank, account 1234" } },
    });
    const order = await place(shop, [of(await mug(shop), 2)], byTransfer);

    const email = await sentAbout(shop, "order_placed", "order.placed");

    expect(email.to).toEqual({ name: "Ada Mensah", address: "ada@example.com" });
    expect(email.replyTo).toBe("help@akwaaba.example");
    expect(email.subject).toBe("We have your order #1001");
    expect(email.text).toStartWith("Hello Ada,\n\nThank you for your order.\n");
    expect(email.text).toContain("TO PAY\n\nUSD 25.00\n\nBank transfer: GCB Bank, account 1234\n");
    expect(email.text).toContain("Give the order number #1001 with your payment.");
    expect(email.text).toContain("- Mug: USD 25.00 (2 × USD 12.50)");
    expect(email.text).toContain(`See your order:\n${order.string("/status_url")}\n`);
    expect(email.text).toEndWith(
      "-- \nAkwaaba\nQuestions? You can reply to this email or call +233302221234.\nOpen from 9 to 5.\n",
    );
  });

  test("leads to the page where it is paid, and says until when it is kept", async () => {
    const order = await place(shared, [of(await mug(shared))], { customer });

    const { text, html } = await sentAbout(shared, "order_placed", "order.placed");

    expect(text).toContain(`Pay now:\n${order.string("/status_url")}\n`);
    expect(text).toContain("The shop keeps your order until 6 January 2026 at 08:00 UTC.");
    expect(html).toContain(`<a href="${order.string("/status_url")}"`);
  });

  test("asks for no other payment while one is being checked", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    const order = await place(shop, [of(await mug(shop))], { customer });
    await shop.post("/v2/payments/initialize", { order_id: order.id, method: "gateway" });
    const payment = (await shop.get("/v2/payments")).string("/data/0/id");
    gateway.pay(payment, { amountMinor: 1 });
    shop.clock.advance(11_000);
    await shop.get(`/v2/payments/${payment}`);

    const { text } = await sentAbout(shop, "order_placed", "order.placed");

    expect(text).toContain("Your payment is being checked.");
    expect(text).not.toContain("Pay now");
  });

  test("is not sent once the order was cancelled, nor without an address", async () => {
    const cup = await mug(shared);
    await cancel(shared, await place(shared, [of(cup)], { customer }));
    const cancelled = await emailAbout(shared, "order_placed", "order.placed");
    await place(shared, [of(cup)], { customer: { phone: "+233201234567" } });

    const without = await emailAbout(shared, "order_placed", "order.placed");

    expect([cancelled, without]).toEqual(["nothing_to_say", "no_recipient"]);
  });
});

describe("the email about an order that was paid", () => {
  test("is the receipt, of the shop by its legal name", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { legal_name: "Akwaaba Ltd", tax_id: "C001" });
    await paidOrder(shop);

    const { subject, text } = await sentAbout(shop, "order_paid", "order.paid");

    expect(subject).toBe("Payment received for order #1001");
    expect(text).toContain("Your payment has arrived. We are preparing your order now.");
    expect(text).toContain("Total: USD 45.00\n\nPaid · Bank transfer · 5 Jan 2026: USD -45.00\n");
    expect(text).toContain("Sold by Akwaaba Ltd\n\nTax number C001\n");
  });

  test("says that the customer accounts for the tax, as invoices have to", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }] });
    await place(shop, [of(await mug(shop))], {
      customer,
      tax_exemption: "reverse_charge",
      tax_id: "KE123",
      paid: { method: "cash" },
    });

    const { text } = await sentAbout(shop, "order_paid", "order.paid");

    expect(text).toContain("Your tax number KE123\n\nReverse charge: your business accounts");
  });

  test("says of an order for nothing that there is nothing to pay", async () => {
    const order = await place(shared, [of(await mug(shared, { price: 0 }))], { customer });

    const { subject, text } = await sentAbout(shared, "order_paid", "order.paid");

    expect(subject).toBe(`Your order #${order.number("/number")} is confirmed`);
    expect(text).toContain("There is nothing to pay.");
  });
});

describe("the email about goods that were sent", () => {
  test("tells what is in this parcel, where it is, and what is still to come", async () => {
    const order = await paidOrder(shared);
    shared.clock.advance(1);
    await fulfill(shared, order, { line_items: one(order), tracking });
    const first = await sentAbout(shared, "order_shipped", "order.updated");
    shared.clock.advance(1);
    await fulfill(shared, order);

    const last = await sentAbout(shared, "order_shipped", "order.fulfilled");

    expect(first.subject).toBe(`A part of your order #${order.number("/number")} is on its way`);
    expect(first.text).toContain("Carrier: DHL\n\nTracking number: JD01\n");
    expect(first.text).toContain("Track it with DHL:\nhttps://dhl.example/JD01\n");
    expect(first.text).toContain(
      "IN THIS PARCEL\n\n- 1 × Mug\n\nSTILL TO COME\n\n- 1 × Mug\n- 1 × Kanga\n",
    );
    expect(last.subject).toBe(`The rest of your order #${order.number("/number")} is on its way`);
    expect(last.text).toContain("IN THIS PARCEL\n\n- 1 × Mug\n- 1 × Kanga\n");
    expect(last.text).not.toContain("STILL TO COME");
  });

  test("has the tracking that came later once it is sent again", async () => {
    const order = await paidOrder(shared);
    shared.clock.advance(1);
    const sent = await fulfill(shared, order);
    const id = sent.string("/fulfillments/0/id");
    await shared.put(`/v2/orders/${order.id}/fulfillments/${id}`, { tracking });

    const { text } = await sentAbout(shared, "order_shipped", "order.fulfilled");

    expect(text).toContain("Track it with DHL:\nhttps://dhl.example/JD01\n");
  });

  test("reminds of what is paid on delivery", async () => {
    const terms = { customer, payment_method: "cash_on_delivery" };
    const order = await place(shared, [of(await mug(shared))], terms);
    shared.clock.advance(1);
    await fulfill(shared, order);

    const { text } = await sentAbout(shared, "order_shipped", "order.fulfilled");

    expect(text).toContain("Please have USD 12.50 ready: you pay when it arrives.");
  });

  test("is not sent for goods handed over at the counter", async () => {
    const sale = { customer, paid: { method: "cash" }, fulfilled: true };
    await place(shared, [of(await mug(shared))], sale);

    expect(await emailAbout(shared, "order_shipped", "order.fulfilled")).toBe("nothing_to_say");
  });
});

describe("the email about an order that was cancelled", () => {
  test.each([
    ["expired", "Your order was not paid in time, so we have cancelled it."],
    ["customer", "As you asked, we have cancelled your order."],
    // What was suspected is not told.
    ["fraud", "We are sorry: we had to cancel your order."],
  ])("says why, in friendly words: %s", async (reason, sentence) => {
    const order = await place(shared, [of(await mug(shared))], { customer });
    await cancel(shared, order, { reason });

    const { subject, text } = await sentAbout(shared, "order_cancelled", "order.cancelled");

    expect(subject).toBe(`Your order #${order.number("/number")} was cancelled`);
    expect(text).toContain(`${sentence} You no longer have to pay for it.`);
  });

  test("says what goes back before and after it went, and what is kept", async () => {
    await cancel(shared, await paidOrder(shared), { refund: 20 });
    const before = await sentAbout(shared, "order_cancelled", "order.cancelled");
    await shared.fireDue();

    const after = await sentAbout(shared, "order_cancelled", "order.cancelled");

    expect(before.text).toContain("You get USD 20.00 back. We keep USD 25.00 of what you paid.");
    expect(after.text).toMatch(/(You get|We have given) USD 20\.00 back/);
  });

  test("says nothing of money that waits for an approval", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { refund_limit: "5.00" });
    const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
    const order = await paidOrder(shop);
    await shop.put(`/v2/orders/${order.id}/cancel`, { above_limit: "ask" }, { key });
    const atOnce = await sentAbout(shop, "order_cancelled", "order.cancelled");
    await shop.fireDue();

    const later = await sentAbout(shop, "order_cancelled", "order.cancelled");

    expect((await shop.get("/v2/refunds")).at("/data/0/status")).toBe("needs_approval");
    for (const { text } of [atOnce, later]) expect(text).not.toMatch(/USD 45|back|keep/);
  });
});

describe("the email about a refund", () => {
  test("tells the amount, what it is for, and how it goes back", async () => {
    const order = await paidOrder(shared);
    await shared.post(`/v2/orders/${order.id}/refunds`, { line_items: one(order) });

    const { subject, text } = await sentAbout(shared, "order_refunded", "order.refunded");

    expect(subject).toBe(`Your refund for order #${order.number("/number")}`);
    expect(text).toContain("USD 12.50\n\nWe pay it back to you directly.\n");
    expect(text).toContain("THIS REFUND IS FOR\n\n- 1 × Mug\n");
    expect(text).toContain("Order total: USD 45.00\nRefunded so far: USD 12.50\n");
  });

  test("says that a gateway returns it the way it was paid", async () => {
    const order = await place(shared, [of(await mug(shared))], { customer });
    const paying = { order_id: order.id, method: "card", card_token: "pm_card_visa" };
    await shared.post("/v2/payments/initialize", paying);
    await shared.post(`/v2/orders/${order.id}/refunds`, {});
    await shared.fireDue();

    const { text } = await sentAbout(shared, "order_refunded", "order.refunded");

    expect(text).toContain("It goes back the way you paid: Card. It can take a few days");
  });
});
