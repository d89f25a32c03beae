// Edge cases of payments: wrong, late, repeated or unreadable input. A refused request writes nothing.

import { describe, expect, test } from "bun:test";

import type { AskedOfGateway, Initiation } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import {
  eventCounts,
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "./scripted-shop.ts";

const shared = sharedScriptedShop();

const APPROVED_BY_CODE = "+233551234985";

/** Answers each code with the next of these. */
class OtpGateway extends ScriptedGateway {
  #answers: Initiation[] = [];

  /** Asks for a code, and answers each code so. */
  answerWith(answers: readonly Initiation[]): void {
    this.#answers = [...answers];
    this.nextAnswer = async () => askAgain;
  }

  override async submitAction(): Promise<Initiation> {
    return this.#answers.shift() ?? { kind: "unknown" };
  }
}

const askAgain: Initiation = { kind: "otp", displayText: "Enter the code.", names: [] };
const wrongPin = {
  kind: "declined",
  failureCode: "wrong_pin",
  gatewayCode: null,
  names: [],
} as const satisfies Initiation;

async function requireCode(shop: TestShop, phone = APPROVED_BY_CODE) {
  const placed = await (await orderCounter(shop))();
  const payment = await initialize(shop, { order_id: placed.id, method: "mobile_money", phone });
  return {
    placed,
    payment,
    type: (otp: string) => shop.post(`/v2/payments/${payment.id}/otp`, { otp }),
  };
}

describe("a code", () => {
  const simulated = sharedShop();
  const otp = new OtpGateway();
  const asking = sharedScriptedShop({}, otp);

  test("that is wrong three times fails the payment once and is then refused", async () => {
    const { placed, payment, type } = await requireCode(simulated);

    const answers = [await type("000000"), await type("111111"), await type("222222")];
    const late = await type("123456");

    expect(payment.at("/next_action/type")).toBe("otp");
    expect(answers.map((one) => [one.at("/status"), one.at("/failure_code")])).toEqual([
      ["requires_action", null],
      ["requires_action", null],
      ["failed", "wrong_pin"],
    ]);
    expect([late.code, late.at("/from"), late.at("/action")]).toEqual([
      "invalid_transition",
      "failed",
      "submit_otp",
    ]);
    expect((await eventCounts(simulated, placed.id))["payment.failed"]).toBe(1);
  });

  test("that is right the third time pays", async () => {
    const { type } = await requireCode(simulated);
    await type("000000");
    await type("111111");

    expect((await type("123456")).at("/status")).toBe("succeeded");
  });

  test("that is wrong three times fails the payment, though the gateway would take a fourth", async () => {
    otp.answerWith([askAgain, { kind: "unknown" }, askAgain, askAgain]);
    const { type } = await requireCode(asking.shop);

    const answers = [await type("000"), await type("111"), await type("222"), await type("333")];

    // What became of the second is not known, so it is no wrong one.
    expect(answers.map((one) => one.at("/status"))).toEqual([
      "requires_action",
      "requires_action",
      "requires_action",
      "failed",
    ]);
    expect(answers[3]?.at("/failure_code")).toBe("wrong_pin");
  });

  test("is requested again while the gateway requests it, and fails the payment when the gateway declines", async () => {
    otp.answerWith([askAgain, askAgain, wrongPin]);
    const { placed, type } = await requireCode(asking.shop);

    const answers = [await type("000"), await type("111"), await type("222"), await type("333")];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    expect(answers.map((one) => one.at("/status"))).toEqual([
      "requires_action",
      "requires_action",
      "failed",
      409,
    ]);
    expect(answers[2]?.at("/failure_code")).toBe("wrong_pin");
    expect((await eventCounts(asking.shop, placed.id))["payment.failed"]).toBe(1);
  });

  test("that is sent twice at once reaches the gateway once", async () => {
    const [sent, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let codes = 0;
    class SlowGateway extends OtpGateway {
      override async submitAction(): Promise<Initiation> {
        codes += 1;
        sent.resolve();
        await answered.promise;
        return super.submitAction();
      }
    }
    const gateway = new SlowGateway();
    gateway.answerWith([wrongPin]);
    await using shop = await openTestShop({ gateways: [gateway] });
    const { type } = await requireCode(shop);
    const first = type("000000");
    await sent.promise;

    const second = await type("000000");
    answered.resolve();

    expect([second.status, second.at("/status")]).toEqual([200, "requires_action"]);
    expect((await first).at("/status")).toBe("failed");
    expect(codes).toBe(1);
  });

  test("that is right after the payment failed charges nothing", async () => {
    await using shop = await openTestShop();
    const { placed, type } = await requireCode(shop);
    for (const wrong of ["000000", "111111", "222222"]) await type(wrong);

    const late = await type("123456");
    await pass(shop, 3_600);

    expect([late.status, late.code]).toEqual([409, "invalid_transition"]);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/payment_status")).toBe("unpaid");
  });

  test("without an answer leaves the payment open until the gateway decides", async () => {
    otp.answerWith([]);
    const { payment, type } = await requireCode(asking.shop);

    const lost = await type("000000");
    await paidAtGateway(asking, payment.id);

    expect([lost.status, lost.at("/status")]).toEqual([200, "requires_action"]);
    expect((await asking.shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
  });
});

test("reading a payment polls the gateway at most every ten seconds", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const payment = await initialize(shop, { amount: 5, currency: "USD" });
  await pass(shop, 75);
  const before = scripted.gateway.polls;
  const looks = async () => {
    await Promise.all([1, 2, 3].map(() => shop.get(`/v2/payments/${payment.id}`)));
    return scripted.gateway.polls - before;
  };

  const atOnce = await looks();
  shop.clock.advance(9_999);
  const early = await looks();
  shop.clock.advance(1);
  const due = await looks();

  expect([atOnce, early, due]).toEqual([1, 1, 2]);
});

describe("a notice", () => {
  test.each(["", "{", "null", "[]", '{"id":"a"', "\u0000", '"text"', "1e999"])(
    "that is signed but contains %j has no effect and logs no error",
    async (body) => {
      const { shop, gateway } = shared;
      const payment = await initialize(shop, { amount: 5, currency: "USD" });
      gateway.pay(payment.id);
      await shop.announced();

      const answer = await send(shop, "scripted", body);
      await settle(shop);

      expect(answer.status).toBeLessThan(500);
      expect(gateway.polls).toBe(0);
      expect(await shop.announcedNames()).toEqual([]);
    },
  );

  test("that is unsigned, or of an unknown gateway, is rejected", async () => {
    const { shop, gateway } = shared;
    const payment = await initialize(shop, { amount: 5, currency: "USD" });
    gateway.pay(payment.id);
    await shop.announced();
    const reference = gateway.referenceOf(payment.id);
    const body = JSON.stringify({ id: payment.id, reference });

    const answers = [
      await notify(shop, gateway, { payment: payment.id, id: payment.id, signature: "wrong" }),
      await fetch(`${shop.url}/hooks/test/scripted`, { method: "POST", body }),
      await send(shop, "paystack", body),
      await send(shop, "simulated", body),
      await fetch(`${shop.url}/hooks/live/scripted`, { method: "POST", headers: signed, body }),
    ];
    await settle(shop);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 404, 404]);
    expect(gateway.polls).toBe(0);
    expect(await shop.announcedNames()).toEqual([]);
    const right = await notify(shop, gateway, { payment: payment.id, id: payment.id });
    await settle(shop);
    expect([right.status, gateway.polls]).toEqual([200, 1]);
  });

  test("about an unknown payment is accepted and changes nothing", async () => {
    const { shop, gateway } = shared;
    await initialize(shop, { amount: 5, currency: "USD" });
    await shop.announced();

    const answer = await send(
      shop,
      "scripted",
      JSON.stringify({ id: "unknown", reference: "pay-x-1" }),
    );
    await settle(shop);

    expect([answer.status, gateway.polls]).toEqual([200, 0]);
    expect(await shop.announcedNames()).toEqual([]);
  });
});

test("notices are counted by their gateway, topic and what became of them", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const payment = await initialize(shop, { amount: 5, currency: "USD" });
  const notice = { payment: payment.id, id: "a" };
  await notify(shop, scripted.gateway, notice);
  await notify(shop, scripted.gateway, { ...notice, signature: "wrong" });
  await send(shop, "scripted", JSON.stringify({ id: "b", reference: "pay-x-1" }));

  const text = await (await fetch(`${shop.url}/metrics`)).text();

  const counted = text.split("\n").filter((line) => line.startsWith("duka_gateway_notices_total{"));
  expect(counted).toEqual([
    'duka_gateway_notices_total{mode="test",gateway="scripted",topic="payment",result="taken"} 1',
    'duka_gateway_notices_total{mode="test",gateway="scripted",topic="none",result="rejected"} 1',
    'duka_gateway_notices_total{mode="test",gateway="scripted",topic="payment",result="ignored"} 1',
  ]);
});

const signed = { "x-signature": "right" };

/** The notice URL of a gateway, and a body that it signed. */
function send(shop: TestShop, gateway: string, body: string): Promise<Response> {
  return fetch(`${shop.url}/hooks/test/${gateway}`, { method: "POST", headers: signed, body });
}

describe("refused is", () => {
  test("a currency that the gateway does not accept, and an unknown provider", async () => {
    const gateway = Object.assign(new ScriptedGateway(), {
      takes: ({ currency }: AskedOfGateway) =>
        currency === "GHS" ? { multipleMinor: 1, minimumMinor: 1, maximumMinor: null } : null,
    });
    await using shop = await openTestShop({ gateways: [gateway] });
    const terms = { amount: 5, currency: "USD", method: "mobile_money", phone: "+233551234000" };

    const currency = await initialize(shop, terms);
    const provider = await initialize(shop, { ...terms, provider: "pigeon" });

    expect([currency.status, currency.faults]).toEqual([
      422,
      ["#/currency currency_not_supported"],
    ]);
    expect([provider.status, provider.code]).toEqual([422, "validation_failed"]);
    expect(provider.faults.map((fault) => fault.split(" ")[0])).toEqual(["#/provider"]);
    expect(gateway.charges.size).toBe(0);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("a refund of more than was received, also of an order, and the gateway is not called", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, payment.id);
    await shop.announced();

    const ofPayment = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: "12.51" });
    const ofOrder = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: "12.51" });

    expect([ofPayment.status, ofPayment.code]).toEqual([409, "refund_exceeds_captured"]);
    expect([ofOrder.status, ofOrder.code]).toEqual([409, "refund_exceeds_captured"]);
    expect(gateway.refunds.size).toBe(0);
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("a reference that another payment has, also if both arrive at once", async () => {
    const { shop, gateway } = shared;
    const order = await orderCounter(shop);
    const [one, other] = [await order(), await order()];

    const answers = await Promise.all(
      [one, other].map(({ id }) => initialize(shop, { order_id: id, reference: "INV-1" })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(answers.find(({ status }) => status === 409)?.code).toBe("reference_taken");
    expect(gateway.charges.size).toBe(1);
  });

  test("an order that is paid or cancelled, and nothing is charged", async () => {
    const { shop, gateway } = shared;
    const order = await orderCounter(shop);
    const [paid, cancelled] = [await order(), await order()];
    await paidAtGateway(shared, (await initialize(shop, { order_id: paid.id })).id);
    await shop.put(`/v2/orders/${cancelled.id}/cancel`);
    await settle(shop);
    await shop.announced();

    const answers = await Promise.all(
      [paid, cancelled].map(({ id }) => initialize(shop, { order_id: id })),
    );

    expect(answers.map((one) => [one.status, one.code])).toEqual([
      [409, "order_paid"],
      [409, "invalid_transition"],
    ]);
    expect(gateway.charges.size).toBe(1);
    expect(await shop.announcedNames()).toEqual([]);
  });
});

test("an order that is cancelled while the gateway is called is refunded once", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const placed = await (await orderCounter(shop))();
  const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  scripted.gateway.nextAnswer = async () => {
    called.resolve();
    await released.promise;
    return { kind: "unknown" };
  };
  const answer = initialize(shop, { order_id: placed.id });
  await called.promise;
  await shop.put(`/v2/orders/${placed.id}/cancel`);
  await settle(shop);
  released.resolve();
  const { id } = await answer;
  scripted.gateway.pay(id);

  await pass(shop, 600);

  const order = await shop.get(`/v2/orders/${placed.id}`);
  expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["refunded", 12.5]);
  expect((await shop.get(`/v2/payments/${id}`)).at("/status")).toBe("refunded");
  expect(scripted.gateway.refunds.size).toBe(1);
  expect(await Array.fromAsync(auditPayments(shop.test.database.read))).toEqual([]);
});

test("a cancelled attempt that the gateway declined does not go to review, days later", async () => {
  const verify = async () => ({ ...wrongPin, state: "failed" as const });
  const gateway = Object.assign(new ScriptedGateway(), { verify });
  gateway.nextAnswer = async () => ({ kind: "unknown" });
  await using shop = await openTestShop({ gateways: [gateway] });
  const { placed, payment } = await requireCode(shop);
  await shop.post(`/v2/payments/${payment.id}/cancel`);

  await pass(shop, 73 * 3_600);

  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("cancelled");
  expect((await eventCounts(shop, placed.id))["payment.review"]).toBeUndefined();
});
