// The audit of refunds finds what was changed in the database directly, and nothing in a shop that was used
// through its stories.

import { describe, expect, test } from "bun:test";

import { tamper } from "../../support/behind-the-shop.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, handedOver, paidMug } from "../refund-counter.ts";
import {
  initialize,
  notify,
  openScriptedShop,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const failure = { kind: "failed", gatewayCode: "declined", gatewayRefundId: null } as const;

function refundUnit(shop: TestShop, placed: Answered): Promise<Answered> {
  const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
  return shop.post(`/v2/orders/${placed.id}/refunds`, { line_items });
}

/** Uses the shop: it has a refund of every kind, and late money that went back. */
async function everyRefund() {
  const sale = await paidMug(shared);
  const { shop, gateway } = sale;
  gateway.nextRefund = failure;
  await shop.post(`/v2/payments/${sale.payment.id}/refunds`, {});
  await refundUnit(shop, sale.placed);
  const { placed } = await handedOver(shop, { order: sale.order });
  await shop.put(`/v2/orders/${placed.id}/cancel`);
  await settle(shop);
  const twice = await sale.order();
  const phone = { method: "mobile_money", phone: "+233551234000", order_id: twice.id };
  const attempts = [await initialize(shop, { order_id: twice.id }), await initialize(shop, phone)];
  for (const { id } of attempts) gateway.pay(id);
  for (const { id } of attempts) await notify(shop, gateway, { payment: id, id: `${id} a` });
  await settle(shop);
}

describe("the audit of refunds", () => {
  test("finds nothing in a shop that was used through its stories", async () => {
    await everyRefund();

    expect(await auditsOf(shared.shop)).toEqual([]);
  });

  test("finds a line of which more units were refunded than were cancelled or came back", async () => {
    const sale = await paidMug(await openScriptedShop());
    await using shop = sale.shop;
    await refundUnit(shop, sale.placed);
    await tamper(shop.folder.path, "UPDATE order_lines SET cancelled_quantity = 0");

    expect(await auditsOf(shop)).toContainEqual({
      subject: sale.placed.string("/line_items/0/id"),
      what: "units cancelled or returned",
      expected: "at least 1",
      found: 0,
    });
  });

  test("finds units that are open, and reserved, after a refund of everything cancelled them", async () => {
    const sale = await paidMug(await openScriptedShop());
    await using shop = sale.shop;
    await shop.post(`/v2/orders/${sale.placed.id}/refunds`, {});
    expect(await auditsOf(shop)).toEqual([]);
    await tamper(
      shop.folder.path,
      "UPDATE order_lines SET cancelled_quantity = 0",
      "UPDATE inventory_levels SET reserved = 1",
    );

    const found = await auditsOf(shop);

    expect(found).toMatchObject([
      { subject: sale.placed.id, what: "credited_total_minor" },
      { what: "reserved for open orders", expected: 0, found: 1 },
    ]);
  });

  test.each(["failed", "needs_attention"] as const)(
    "finds a refund that is %s and was not announced",
    async (status) => {
      const sale = await paidMug(await openScriptedShop());
      await using shop = sale.shop;
      sale.gateway.nextRefund = { ...failure, kind: status };
      const refund = await shop.post(`/v2/payments/${sale.payment.id}/refunds`, {});
      await tamper(
        shop.folder.path,
        `UPDATE events SET subject = 'elsewhere' WHERE name = 'refund.${status}'`,
      );

      expect(await auditsOf(shop)).toEqual([
        {
          subject: refund.id,
          what: `refund.${status} events`,
          expected: "one or more",
          found: 0,
        },
      ]);
    },
  );

  test("finds nothing of the refunds of a version that neither announced failures nor moved units", async () => {
    const sale = await paidMug(await openScriptedShop());
    await using shop = sale.shop;
    sale.gateway.nextRefund = failure;
    await shop.post(`/v2/payments/${sale.payment.id}/refunds`, { amount: 1 });
    await refundUnit(shop, sale.placed);
    await tamper(
      shop.folder.path,
      "DELETE FROM events WHERE name = 'refund.failed'",
      "UPDATE order_lines SET cancelled_quantity = 0",
      `UPDATE events SET data = replace(data, '"instrument":null,', '') WHERE name = 'payment.initialized'`,
    );

    const found = await auditsOf(shop);

    expect(found).not.toContainEqual(expect.objectContaining({ what: "refund.failed events" }));
    expect(found).not.toContainEqual(
      expect.objectContaining({ what: "units cancelled or returned" }),
    );
  });

  test("finds money of a gateway beyond what is owed without a refund", async () => {
    const sale = await paidMug(await openScriptedShop());
    await using shop = sale.shop;
    await tamper(
      shop.folder.path,
      "UPDATE payments SET captured_minor = 2500, received_minor = 2500",
      "UPDATE orders SET paid_minor = 2500, payment_status = 'overpaid'",
    );

    expect(await auditsOf(shop)).toEqual([
      { subject: sale.placed.id, what: "money of gateways", expected: 1250, found: 2500 },
    ]);
  });

  test("finds no money of a gateway whose refund is about to be opened or has failed", async () => {
    const sale = await paidMug(shared);
    const { shop } = sale;
    sale.gateway.nextRefund = failure;
    await shop.put(`/v2/orders/${sale.placed.id}/cancel`);

    const before = await auditsOf(shop);
    await settle(shop);
    const after = await auditsOf(shop);

    expect([before, after]).toEqual([[], []]);
    const refunds = await shop.get(`/v2/refunds?order_id=${sale.placed.id}`);
    expect([refunds.list("/data").length, refunds.at("/data/0/status")]).toEqual([1, "failed"]);
  });

  test("leaves it to a person to give back what was handed over beyond what is owed", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop);
    await shop.post(`/v2/payments/${payment.id}/correct`, { amount: 20 });

    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/payment_status")).toBe("overpaid");
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("finds a payment whose refunded total is not that of its refunds", async () => {
    const sale = await paidMug(await openScriptedShop());
    await using shop = sale.shop;
    await shop.post(`/v2/payments/${sale.payment.id}/refunds`, { amount: 5 });
    await tamper(shop.folder.path, "UPDATE refunds SET status = 'closed', amount_minor = 400");

    const found = await auditsOf(shop);

    expect(found).toContainEqual({
      subject: sale.payment.id,
      what: "refunds that were given back",
      expected: 400,
      found: 500,
    });
  });
});
