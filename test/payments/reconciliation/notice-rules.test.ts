// How notices of gateways come in: some call with PUT, and some sign nothing but know a secret address.

import { expect, test } from "bun:test";

import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import type { TestShop } from "../../support/shop.ts";
import { initialize, settle, sharedScriptedShop } from "../scripted-shop.ts";

const TOKEN = "k3yr1ng";

/** Calls back once, by PUT, unsigned. */
class UnsignedGateway extends ScriptedGateway {
  override readonly noticeRules: NoticeRules = { methods: ["POST", "PUT"], isSigned: false };

  override parseWebhook({ bytes, token }: ArrivedNotice): Notice {
    if (token !== TOKEN) return { kind: "reject" };
    return super.parseWebhook({ bytes, headers: new Headers({ "x-signature": "right" }), token });
  }
}

const unsigned = sharedScriptedShop({}, new UnsignedGateway());
const signed = sharedScriptedShop();

/** A payment that its payer made, and a way to call the shop about it. */
async function paidUnsigned() {
  const { shop, gateway } = unsigned;
  const payment = await initialize(shop, { amount: 5, currency: "USD" });
  gateway.pay(payment.id);
  const call = (path: string, method: string) =>
    fetch(`${shop.url}/hooks/test/scripted${path}`, {
      method,
      ...(method === "GET"
        ? {}
        : { body: JSON.stringify({ id: payment.id, reference: gateway.referenceOf(payment.id) }) }),
    });
  const status = () => statusOf(shop, payment.id);
  return { gateway, call, status };
}

async function statusOf(shop: TestShop, id: string): Promise<unknown> {
  await settle(shop);
  return (await shop.get(`/v2/payments/${id}`)).at("/status");
}

test("a notice by PUT to the secret address has the payment polled", async () => {
  const paid = await paidUnsigned();

  const answer = await paid.call(`/${TOKEN}`, "PUT");

  expect(answer.status).toBe(200);
  expect(await paid.status()).toBe("succeeded");
});

test("a notice to a wrong address, or to one without its secret, writes nothing", async () => {
  const paid = await paidUnsigned();

  const answers = [
    await paid.call("", "PUT"),
    await paid.call("/guessed", "PUT"),
    await paid.call(`/${TOKEN}x`, "POST"),
    await paid.call(`/${TOKEN}/more`, "POST"),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404]);
  expect(await paid.status()).toBe("requires_action");
  expect(paid.gateway.polls).toBe(0);
});

test("a method that the gateway does not use is refused with those that it does", async () => {
  const paid = await paidUnsigned();

  const read = await paid.call(`/${TOKEN}`, "GET");
  const put = await fetch(`${signed.shop.url}/hooks/test/scripted`, { method: "PUT", body: "{}" });

  expect([read.status, read.headers.get("allow")]).toEqual([405, "POST, PUT"]);
  expect([put.status, put.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a signed notice is not taken at an address with a token", async () => {
  const { shop, gateway } = signed;
  const payment = await initialize(shop, { amount: 5, currency: "USD" });
  const body = JSON.stringify({ id: payment.id, reference: gateway.referenceOf(payment.id) });

  const answer = await fetch(`${shop.url}/hooks/test/scripted/${TOKEN}`, {
    method: "POST",
    headers: { "x-signature": "right" },
    body,
  });

  expect(answer.status).toBe(401);
});
