// A shop in Ghana with Paystack: orders are paid and refunded once, in whatever order the news comes.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { openPaystack } from "#payments/gateways/paystack/paystack.ts";

import { eventCounts, initialize } from "../../payments/scripted-shop.ts";
import { atOnce } from "../../support/at-once.ts";
import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";
import { openPaystackFace } from "./face/paystack-face.ts";
import {
  faultsOf,
  ofOrder,
  openPaystackShop,
  payByPhone,
  payOnPage,
  type PaystackShop,
} from "./paystack-shop.ts";
import { termsOf } from "./rig.ts";

const HOUR_S = 3_600;

async function paidOnce(opened: PaystackShop, orderId: string): Promise<void> {
  const counts = await eventCounts(opened.shop, orderId);
  expect([counts["order.paid"], counts["payment.succeeded"]]).toEqual([1, 1]);
  expect(await faultsOf(opened)).toEqual([]);
}

describe("an order", () => {
  test("is paid by a phone that approves, and tells what it was paid with", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order({}, 2);

    const payment = await payByPhone(opened, id);
    expect(payment.at("/next_action/type")).toBe("approve_on_phone");
    opened.face.pass(5000);
    const statuses = await opened.told();

    expect(statuses).toEqual([200]);
    expect(await ofOrder(opened, id)).toEqual(["paid", 25, 0]);
    expect((await opened.shop.get(`/v2/payments/${payment.id}`)).body).toMatchObject({
      status: "succeeded",
      gateway: "paystack",
      fee: { amount: 0.5, currency: "GHS" },
    });
    await paidOnce(opened, id);
  });

  test("is paid by a phone with a code, also after a wrong one", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const payment = await payByPhone(opened, id, "85");
    const submit = (otp: string) => opened.shop.post(`/v2/payments/${payment.id}/otp`, { otp });

    expect((await submit("000000")).at("/next_action/type")).toBe("otp");
    const paid = await submit("123456");

    expect(paid.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("whose code was wrong three times fails, and can be paid anew", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const payment = await payByPhone(opened, id, "85");
    for (const otp of ["000000", "000001", "000002"]) {
      await opened.shop.post(`/v2/payments/${payment.id}/otp`, { otp });
    }

    const failed = await opened.shop.get(`/v2/payments/${payment.id}`);
    const again = await payByPhone(opened, id, "80");

    expect([failed.at("/status"), failed.at("/failure_code")]).toEqual(["failed", "wrong_pin"]);
    expect(again.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("is paid on the vendor's page, after a card that was declined", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });
    payOnPage(opened, "pm_card_visa_chargeDeclined");
    await opened.pass(60);
    const between = await opened.shop.get(`/v2/payments/${payment.id}`);
    const back = payOnPage(opened);
    await opened.told();

    expect(between.at("/status")).toBe("requires_action");
    expect(back).toContain("/pay/return/");
    await paidOnce(opened, id);
  });

  test("whose notice never comes is paid once it is read", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    await payByPhone(opened, id);
    opened.face.notices.url = null;

    await opened.pass(60);

    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    await paidOnce(opened, id);
  });

  test("whose prompt was lost on the way is charged once", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();

    const payment = await payByPhone(opened, id, "88");
    await opened.pass(60);

    expect(payment.at("/status")).toBe("pending");
    expect(opened.face.account.transactions.size).toBe(1);
    await paidOnce(opened, id);
  });

  test("whose money comes after it expired does not lose it", async () => {
    await using opened = await openPaystackShop();
    await opened.shop.put("/v2/store", { order_expiry_minutes: 5 });
    const { id } = await opened.order();
    const payment = await payByPhone(opened, id, "90");

    for (let minute = 0; minute < 20; minute += 1) {
      await opened.pass(60);
      await opened.told();
    }

    expect((await opened.shop.get(`/v2/payments/${payment.id}`)).number("/amount")).toBe(12.5);
    const [, paid, refunded] = await ofOrder(opened, id);
    expect(Number(paid) + Number(refunded)).toBeGreaterThan(0);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("that is paid for twice at once is prompted once", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();

    await atOnce(4, () => payByPhone(opened, id));
    opened.face.pass(5000);
    await opened.told();

    expect(opened.face.account.transactions.size).toBe(1);
    await paidOnce(opened, id);
  });
});

describe("a refund", () => {
  async function openPaid(refundMs = 0) {
    const opened = await openPaystackShop({ refundMs });
    const { id } = await opened.order();
    const { id: payment } = await payByPhone(opened, id, "80");
    return { ...opened, id, payment };
  }

  test("is given back once, and the order tells so when the vendor has done it", async () => {
    await using opened = await openPaid(HOUR_S * 1000);
    const refund = await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });
    const before = await ofOrder(opened, opened.id);
    await opened.pass(2 * HOUR_S);
    await opened.told();

    expect(refund.status).toBe(201);
    expect(before).toEqual(["paid", 12.5, 0]);
    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 12.5, 5]);
    expect(opened.face.account.refunds).toHaveLength(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("that a person makes in the vendor's dashboard is the order's, too", async () => {
    await using opened = await openPaid();
    const [transaction] = opened.face.account.transactions.values();
    opened.face.refundInDashboard(transaction?.reference ?? "", 700);

    await opened.told();
    await opened.pass(60);

    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 12.5, 7]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("of the dashboard while the money is in review is the order's once it is accepted", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const { id: payment } = await payByPhone(opened, id, "91");
    await opened.pass(60);
    const [transaction] = opened.face.account.transactions.values();
    opened.face.refundInDashboard(transaction?.reference ?? "", 500);
    await opened.told();
    await opened.pass(2 * 24 * HOUR_S);

    await opened.shop.post(`/v2/payments/${payment}/accept`);
    await opened.pass(60);

    const [, paid, refunded] = await ofOrder(opened, id);
    expect([paid, refunded]).toEqual([11.25, 5]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("of the dashboard with the fees that the payer bore leaves those to a person", async () => {
    await using opened = await openPaystackShop();
    opened.face.account.payerBearsFees = true;
    const { id } = await opened.order();
    await payByPhone(opened, id, "80");
    const [transaction] = opened.face.account.transactions.values();
    opened.face.refundInDashboard(transaction?.reference ?? "", transaction?.amount ?? 0);

    await opened.told();

    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    const waiting = await opened.shop.get("/v2/refunds?status=needs_attention");
    expect(waiting.list("/data")).toMatchObject([{ attention: "paid_twice", amount: 0.25 }]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("of the dashboard is found although the vendor did not answer when it was told", async () => {
    await using opened = await openPaid();
    const [transaction] = opened.face.account.transactions.values();
    opened.face.refundInDashboard(transaction?.reference ?? "", 700);
    opened.face.faults.plan(
      { moment: "after", fault: { kind: "broken" } },
      { call: "GET /refund" },
    );

    await opened.told();
    await opened.pass(HOUR_S);

    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 12.5, 7]);
  });

  test("whose answer was lost is not given back a second time", async () => {
    await using opened = await openPaid(HOUR_S * 1000);
    const fault = { moment: "after", fault: { kind: "reset" } } as const;
    opened.face.faults.plan(fault, { call: "POST /refund" });
    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });

    for (let hour = 0; hour < 4; hour += 1) await opened.pass(HOUR_S);

    expect(opened.face.account.refunds).toHaveLength(1);
    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 12.5, 5]);
  });
});

test("a card token is charged by the first gateway that takes one, a page is Paystack's", async () => {
  await using face = await openPaystackFace();
  const other = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [openPaystack(termsOf(face)), other] });
  const link = { amount: 5, currency: "USD", method: "card" };

  const byToken = await initialize(shop, { ...link, card_token: "tok_4sF2kq" });
  const onPage = await initialize(shop, link);

  expect([byToken.status, byToken.at("/gateway")]).toEqual([201, "scripted"]);
  expect([onPage.status, onPage.at("/gateway")]).toEqual([201, "paystack"]);
});

describe("bad input", () => {
  test.each([
    ["a phone of another country", { provider: "mtn", phone: "+254710000087" }, "#/phone"],
    ["a provider of another currency", { provider: "mpesa", phone: "+233551234987" }, "#/provider"],
    ["no provider", { phone: "+233551234987" }, "#/provider"],
  ])("with %s is refused at its field, and nothing is asked", async (_, given, pointer) => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();

    const refused = await initialize(opened.shop, {
      order_id: id,
      method: "mobile_money",
      ...given,
    });

    expect([refused.status, refused.at("/errors/0/pointer")]).toEqual([422, pointer]);
    expect(opened.face.server.asked).toEqual([]);
  });

  test("a payer without an email address is given one", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order({ customer: { phone: "+233551234987" } });

    const payment = await payByPhone(opened, id, "80");

    expect(payment.at("/status")).toBe("succeeded");
  });
});

test.each([
  ["a list", [{ expiry_date: "12/2026" }]],
  ["nothing", null],
])(
  "an event about %s, which is not the shop's, is taken so that it is not sent for days",
  async (_, data) => {
    await using opened = await openPaystackShop();
    const body = JSON.stringify({ event: "subscription.expiring_cards", data });
    const signature = createHmac("sha512", opened.face.secret).update(body).digest("hex");
    const headers = { "x-paystack-signature": signature };

    const answer = await fetch(opened.face.notices.url ?? "", { method: "POST", headers, body });

    expect(answer.status).toBe(200);
    expect(opened.face.server.asked).toEqual([]);
  },
);

test("the secret is nowhere in the shop's rows", async () => {
  await using opened = await openPaystackShop();
  await payByPhone(opened, (await opened.order()).id, "80");
  await opened.told();

  const tables = await tablesBehind(opened.shop.folder.path);
  const rows = await Promise.all(
    tables.map((table) => rowsBehind(opened.shop.folder.path, `SELECT * FROM ${table}`)),
  );

  expect(JSON.stringify(rows)).not.toContain(opened.face.secret);
});
