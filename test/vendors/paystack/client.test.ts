// The client that others generated from Paystack's own document drives the face, and verifies what it signs.

import { expect, test } from "bun:test";

import {
  createPaystack,
  type PaystackClientOptions,
  verifyPaystackWebhookSignature,
} from "@alexasomba/paystack-node";

import { openPaystackFace, type PaystackFace } from "#mocks/paystack/paystack-face.ts";

const sale = { email: "ada@example.com", amount: 2450, currency: "GHS" } as const;

function clientOf({ server, secret }: PaystackFace, given: Partial<PaystackClientOptions> = {}) {
  return createPaystack({
    baseUrl: server.url,
    secretKey: secret,
    retry: { retries: 0 },
    ...given,
  });
}

/** A phone that pays at once. */
async function openPaid() {
  const face = await openPaystackFace();
  const client = clientOf(face);
  const mobile_money = { phone: "0551234980", provider: "mtn" } as const;
  const body = { ...sale, reference: "pay-1", mobile_money };
  const charged = await client.charge_create({ body });
  return { face, client, charged, [Symbol.asyncDispose]: () => face[Symbol.asyncDispose]() };
}

test("the client opens a page, which one payment is made on", async () => {
  await using face = await openPaystackFace();
  const body = { ...sale, reference: "pay-1", callback_url: "https://shop.example/back" };

  const page = await clientOf(face).transaction_initialize({ body });
  face.payOnPage("pay-1", "pm_card_visa");
  const params = { path: { reference: "pay-1" } };
  const paid = await clientOf(face).transaction_verify({ params });

  expect(page.data).toMatchObject({ status: true, data: { reference: "pay-1" } });
  expect(paid.data).toMatchObject({ data: { status: "success", amount: 2450, channel: "card" } });
});

test("the client charges a phone, and reads what became of it", async () => {
  await using opened = await openPaid();

  expect(opened.charged.data).toMatchObject({
    message: "Charge attempted",
    data: { status: "success", channel: "mobile_money" },
  });
});

test("the client gives a part back, and finds it in the list of the transaction", async () => {
  await using opened = await openPaid();
  const body = {
    transaction: "pay-1",
    amount: 500,
    currency: "GHS",
    merchant_note: "ref_1",
  } as const;

  const made = await opened.client.refund_create({ body });

  expect(made.data).toMatchObject({ message: "Refund has been queued for processing" });
  expect(opened.face.account.refunds).toMatchObject([{ amount: 500, merchantNote: "ref_1" }]);
});

test("the client is refused with another secret", async () => {
  await using face = await openPaystackFace();
  const params = { path: { reference: "pay-1" } };

  const refused = await clientOf(face, { secretKey: "sk_test_0ther" }).transaction_verify({
    params,
  });

  expect(refused.response.status).toBe(401);
});

test("the client verifies the signature of a notice over its bytes, and no other", async () => {
  await using opened = await openPaid();
  const [notice] = opened.face.notices.all;
  const signature = notice?.headers.get("x-paystack-signature") ?? "";
  const verify = (rawBody: Uint8Array) =>
    verifyPaystackWebhookSignature({ rawBody, signature, secret: opened.face.secret });

  expect(verify(notice?.bytes ?? new Uint8Array())).toBe(true);
  expect(verify(new TextEncoder().encode("{}"))).toBe(false);
});
