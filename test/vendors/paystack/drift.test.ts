// The answers of the face are those of Paystack: of its published document where that accepts Paystack's own samples, and
// of shapes that such samples prove elsewhere.

import { describe, expect, test } from "bun:test";

import { Value } from "typebox/value";

import { openPaystackFace, type PaystackFace } from "#mocks/paystack/paystack-face.ts";

import { publishedFaults } from "./published.ts";
import { noticeOf, type Operation, shapes } from "./shapes.ts";

const sale = { email: "ada@example.com", amount: 2450, currency: "GHS" } as const;

/** Asks the face as any program could. */
async function ask(
  { server, secret }: PaystackFace,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

const page = { ...sale, reference: "page-1", callback_url: "https://shop.example/back" };
const charge = {
  ...sale,
  reference: "pay-1",
  mobile_money: { phone: "0551234980", provider: "mtn" },
};

const refund = { transaction: "pay-1", amount: 500, currency: "GHS", merchant_note: "Late" };

describe("the published document describes", () => {
  test("a page that is opened", async () => {
    await using face = await openPaystackFace();

    const opened = await ask(face, "/transaction/initialize", page);

    expect(publishedFaults("post", "/transaction/initialize", opened)).toEqual([]);
  });

  test("a payment of a page that is verified, and one of a phone", async () => {
    await using face = await openPaystackFace();
    await ask(face, "/transaction/initialize", page);
    face.payOnPage("page-1", "pm_card_visa");
    await ask(face, "/charge", charge);

    const verified = [
      await ask(face, "/transaction/verify/page-1"),
      await ask(face, "/transaction/verify/pay-1"),
    ];

    const path = "/transaction/verify/{reference}";
    expect(verified.flatMap((one) => publishedFaults("get", path, one))).toEqual([]);
  });

  test("a refund that is made", async () => {
    await using face = await openPaystackFace();
    await ask(face, "/charge", charge);

    const made = await ask(face, "/refund", refund);

    expect(publishedFaults("post", "/refund", made)).toEqual([]);
  });
});

const operations = Object.entries(shapes);

/** Where the answer is not of the operation's shape, as the pointer and what it must be. */
function faultsOf(operation: Operation, answer: unknown): string[] {
  const found = Value.Errors(shapes[operation].schema, answer);
  return found.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe("the shape of", () => {
  test.each(operations)("%s has the members of the samples", (_, { schema, samples }) => {
    expect(samples.map((sample) => Value.Check(schema, sample))).toEqual(samples.map(() => true));
  });

  test.each(operations)("%s has no other types than those", (_, { schema, samples }) => {
    const wrong = samples.map((sample) =>
      JSON.parse(
        JSON.stringify(sample).replaceAll(
          /"(id|(?:transaction_)?reference)":("[^"]*"|\d+)/g,
          '"$1":true',
        ),
      ),
    );

    expect(wrong.map((one) => Value.Check(schema, one))).toEqual(samples.map(() => false));
  });

  test.each([
    ["0551234980", "success"],
    ["0551234985", "send_otp"],
    ["0551234983", "pay_offline"],
  ])("a charge of the phone %s is that of the face, which answers %s", async (phone, status) => {
    await using face = await openPaystackFace();
    const mobile_money = { phone, provider: "mtn" };

    const answered = await ask(face, "/charge", { ...charge, mobile_money });

    expect(answered).toMatchObject({ data: { status } });
    expect(faultsOf("POST /charge", answered)).toEqual([]);
  });

  test("a refund is that of the face, in its list and alone", async () => {
    await using face = await openPaystackFace();
    await ask(face, "/charge", charge);
    await ask(face, "/refund", refund);

    const [made] = face.account.refunds;
    const listed = await ask(face, `/refund?transaction=${made?.transaction.id}`);
    const alone = await ask(face, `/refund/${made?.id}`);

    expect(faultsOf("GET /refund", listed)).toEqual([]);
    expect(faultsOf("GET /refund/{id}", alone)).toEqual([]);
  });

  test("a dispute is that of the face, in its list and alone", async () => {
    await using face = await openPaystackFace();
    await ask(face, "/charge", charge);
    const { id } = face.dispute("pay-1");

    const listed = await ask(face, "/dispute");
    const alone = await ask(face, `/dispute/${id}`);

    expect(faultsOf("GET /dispute", listed)).toEqual([]);
    expect(faultsOf("GET /dispute/{id}", alone)).toEqual([]);
  });

  test("a notice is that of the face, of a payment, a refund and a dispute", async () => {
    await using face = await openPaystackFace({ refundMs: 1000 });
    await ask(face, "/charge", charge);
    await ask(face, "/refund", refund);
    face.dispute("pay-1");

    const told = face.notices.all.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)));

    const notices = ["charge.success", "refund", "charge.dispute"] as const;
    expect(told.map(({ event }) => noticeOf(event))).toEqual([...notices]);
    expect(notices.flatMap((notice, index) => faultsOf(notice, told[index]))).toEqual([]);
  });
});
