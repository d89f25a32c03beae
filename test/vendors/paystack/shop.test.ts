// A shop in Ghana with Paystack: orders are paid and refunded once, in whatever order the news comes.

import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { openPaystackFace } from "#mocks/paystack/paystack-face.ts";
import { openPaystack } from "#payments/gateways/paystack/paystack.ts";

import { eventCounts, initialize } from "../../payments/scripted-shop.ts";
import { atOnce } from "../../support/at-once.ts";
import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { shared } from "../../support/shared.ts";
import { openTestShop } from "../../support/shop.ts";
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

/** Each test has an order of its own. What the vendor has to tell is told before the next one. */
const opened = shared(openPaystackShop);

afterEach(async () => {
  await opened.told();
});

async function paidOnce(of: PaystackShop, orderId: string): Promise<void> {
  const counts = await eventCounts(of.shop, orderId);
  expect([counts["order.paid"], counts["payment.succeeded"]]).toEqual([1, 1]);
  expect(await faultsOf(of)).toEqual([]);
}

describe("an order", () => {
  test("is paid by a phone that approves, and tells what it was paid with", async () => {
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
    const { id } = await opened.order();
    const payment = await payByPhone(opened, id, "85");
    const submit = (otp: string) => opened.shop.post(`/v2/payments/${payment.id}/otp`, { otp });

    expect((await submit("000000")).at("/next_action/type")).toBe("otp");
    const paid = await submit("123456");

    expect(paid.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("whose code was wrong three times fails, and can be paid anew", async () => {
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
    await using own = await openPaystackShop();
    const { id } = await own.order();
    await payByPhone(own, id);
    own.face.notices.url = null;

    await own.pass(60);

    expect(await ofOrder(own, id)).toEqual(["paid", 12.5, 0]);
    await paidOnce(own, id);
  });

  test("whose prompt was lost on the way is charged once", async () => {
    const before = opened.face.account.transactions.size;
    const { id } = await opened.order();

    const payment = await payByPhone(opened, id, "88");
    await opened.pass(60);

    expect(payment.at("/status")).toBe("pending");
    expect(opened.face.account.transactions.size).toBe(before + 1);
    await paidOnce(opened, id);
  });

  test("whose money comes after it expired does not lose it", async () => {
    await using own = await openPaystackShop();
    await own.shop.put("/v2/store", { order_expiry_minutes: 5 });
    const { id } = await own.order();
    const payment = await payByPhone(own, id, "90");

    for (let minute = 0; minute < 20; minute += 1) {
      await own.pass(60);
      await own.told();
    }

    expect((await own.shop.get(`/v2/payments/${payment.id}`)).number("/amount")).toBe(12.5);
    const [, paid, refunded] = await ofOrder(own, id);
    expect(Number(paid) + Number(refunded)).toBeGreaterThan(0);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("that is paid for twice at once is prompted once", async () => {
    const before = opened.face.account.transactions.size;
    const { id } = await opened.order();

    await atOnce(4, () => payByPhone(opened, id));
    opened.face.pass(5000);
    await opened.told();

    expect(opened.face.account.transactions.size).toBe(before + 1);
    await paidOnce(opened, id);
  });
});

describe("a refund", () => {
  async function openPaid(refundMs = 0) {
    const paid = await openPaystackShop({ refundMs });
    const { id } = await paid.order();
    const { id: payment } = await payByPhone(paid, id, "80");
    return { ...paid, id, payment };
  }

  test("is given back once, and the order tells so when the vendor has done it", async () => {
    await using own = await openPaid(HOUR_S * 1000);
    const refund = await own.shop.post(`/v2/payments/${own.payment}/refunds`, { amount: 5 });
    const before = await ofOrder(own, own.id);
    await own.pass(2 * HOUR_S);
    await own.told();

    expect(refund.status).toBe(201);
    expect(before).toEqual(["paid", 12.5, 0]);
    expect(await ofOrder(own, own.id)).toEqual(["partially_refunded", 12.5, 5]);
    expect(own.face.account.refunds).toHaveLength(1);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("that a person makes in the vendor's dashboard is the order's, too", async () => {
    await using own = await openPaid();
    const [transaction] = own.face.account.transactions.values();
    own.face.refundInDashboard(transaction?.reference ?? "", 700);

    await own.told();
    await own.pass(60);

    expect(await ofOrder(own, own.id)).toEqual(["partially_refunded", 12.5, 7]);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("of the dashboard while the money is in review is the order's once it is accepted", async () => {
    await using own = await openPaystackShop();
    const { id } = await own.order();
    const { id: payment } = await payByPhone(own, id, "91");
    await own.pass(60);
    const [transaction] = own.face.account.transactions.values();
    own.face.refundInDashboard(transaction?.reference ?? "", 500);
    await own.told();
    await own.pass(2 * 24 * HOUR_S);

    await own.shop.post(`/v2/payments/${payment}/accept`);
    await own.pass(60);

    const [, paid, refunded] = await ofOrder(own, id);
    expect([paid, refunded]).toEqual([11.25, 5]);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("of the dashboard with the fees that the payer bore leaves those to a person", async () => {
    await using own = await openPaystackShop();
    own.face.account.payerBearsFees = true;
    const { id } = await own.order();
    await payByPhone(own, id, "80");
    const [transaction] = own.face.account.transactions.values();
    own.face.refundInDashboard(transaction?.reference ?? "", transaction?.amount ?? 0);

    await own.told();

    expect(await ofOrder(own, id)).toEqual(["refunded", 12.5, 12.5]);
    const waiting = await own.shop.get("/v2/refunds?status=needs_attention");
    expect(waiting.list("/data")).toMatchObject([{ attention: "paid_twice", amount: 0.25 }]);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("of the dashboard is found although the vendor did not answer when it was reported", async () => {
    await using own = await openPaid();
    const [transaction] = own.face.account.transactions.values();
    own.face.refundInDashboard(transaction?.reference ?? "", 700);
    own.face.faults.plan({ moment: "after", fault: { kind: "broken" } }, { call: "GET /refund" });

    await own.told();
    await own.pass(HOUR_S);

    expect(await ofOrder(own, own.id)).toEqual(["partially_refunded", 12.5, 7]);
  });

  test("whose answer was lost is not given back a second time", async () => {
    await using own = await openPaid(HOUR_S * 1000);
    const fault = { moment: "after", fault: { kind: "reset" } } as const;
    own.face.faults.plan(fault, { call: "POST /refund" });
    await own.shop.post(`/v2/payments/${own.payment}/refunds`, { amount: 5 });

    for (let hour = 0; hour < 4; hour += 1) await own.pass(HOUR_S);

    expect(own.face.account.refunds).toHaveLength(1);
    expect(await ofOrder(own, own.id)).toEqual(["partially_refunded", 12.5, 5]);
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
    const { id } = await opened.order();
    const before = opened.face.server.asked.length;

    const refused = await initialize(opened.shop, {
      order_id: id,
      method: "mobile_money",
      ...given,
    });

    expect([refused.status, refused.at("/errors/0/pointer")]).toEqual([422, pointer]);
    expect(opened.face.server.asked).toHaveLength(before);
  });

  test("a payer without an email address is given one", async () => {
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
    const before = opened.face.server.asked.length;
    const body = JSON.stringify({ event: "subscription.expiring_cards", data });
    const signature = createHmac("sha512", opened.face.secret).update(body).digest("hex");
    const headers = { "x-paystack-signature": signature };

    const answer = await fetch(opened.face.notices.url ?? "", { method: "POST", headers, body });

    expect(answer.status).toBe(200);
    expect(opened.face.server.asked).toHaveLength(before);
  },
);

test("the secret is nowhere in the shop's rows", async () => {
  await using own = await openPaystackShop();
  await payByPhone(own, (await own.order()).id, "80");
  await own.told();

  const tables = await tablesBehind(own.shop.folder.path);
  const rows = await Promise.all(
    tables.map((table) => rowsBehind(own.shop.folder.path, `SELECT * FROM ${table}`)),
  );

  expect(JSON.stringify(rows)).not.toContain(own.face.secret);
});
