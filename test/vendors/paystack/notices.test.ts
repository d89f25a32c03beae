// Paystack's notices: their signature over the exact bytes, what they are about, and which of them are copies.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { readNotice } from "#payments/gateways/paystack/notice.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";

const NOW = Date.parse("2026-01-05T08:00:00Z");
const terms = { mode: "test", secret: "sk_test_3Fa03Fa03Fa0", clock: { now: () => NOW } } as const;

function signed(text: string | Uint8Array, secret: string = terms.secret): ArrivedNotice {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const signature = createHmac("sha512", secret).update(bytes).digest("hex");
  return { bytes, headers: new Headers({ "x-paystack-signature": signature }), token: null };
}

const notice = (event: string, data: object) => signed(JSON.stringify({ event, data }));
const paid = { id: 7, domain: "test", reference: "pay-01-1", status: "success" };

describe("a notice", () => {
  test("of a payment names its attempt and its transaction", () => {
    expect(readNotice(notice("charge.success", paid), terms)).toEqual({
      kind: "notice",
      dedupKey: "charge.success 7",
      gatewayReference: "pay-01-1",
      names: [{ kind: "transaction", name: "7" }],
      topic: "payment",
      mode: "test",
    });
  });

  test.each(["pending", "processing", "processed", "failed", "needs-attention"])(
    "of a refund that is %s names its attempt",
    (status) => {
      const data = { status, transaction_reference: "pay-01-1", refund_reference: null };

      expect(readNotice(notice(`refund.${status}`, data), terms)).toMatchObject({
        topic: "refund",
        gatewayReference: "pay-01-1",
        mode: "test",
      });
    },
  );

  test("of a dispute names the attempt of its transaction", () => {
    const data = { id: 2867, domain: "live", transaction: { id: 7, reference: "pay-01-1" } };

    expect(readNotice(notice("charge.dispute.create", data), terms)).toMatchObject({
      topic: "dispute",
      gatewayReference: "pay-01-1",
      mode: "live",
    });
  });

  test("of anything else is about nothing of the shop's", () => {
    const data = { id: 3, domain: "test", reference: "pay-01-1" };

    expect(readNotice(notice("transfer.success", data), terms)).toMatchObject({
      topic: "other",
      gatewayReference: null,
    });
  });

  test("of something that is a list is about nothing of the shop's, too", () => {
    const bytes = '{"event":"subscription.expiring_cards","data":[{"expiry_date":"12/2026"}]}';

    expect(readNotice(signed(bytes), terms)).toMatchObject({ kind: "notice", topic: "other" });
  });

  test("of nothing of the shop's is a copy only if its bytes are alike", () => {
    const keyOf = (data: object) => {
      const read = readNotice(notice("subscription.expiring_cards", data), terms);
      return read.kind === "notice" ? read.dedupKey : read.kind;
    };
    const december = [{ expiry_date: "12/2026" }];

    const keys = [december, december, [{ expiry_date: "01/2027" }], []].map(keyOf);

    expect(keys[0]).toMatch(/^subscription\.expiring_cards [0-9a-f]{64}$/);
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3]);
  });

  test("keeps every digit of an id in its key, so that neighbors are no copies", () => {
    const keyOf = (id: string) => {
      const read = readNotice(
        signed(`{"event":"charge.success","data":{"id":${id},"reference":"a","domain":"test"}}`),
        terms,
      );
      return read.kind === "notice" ? read.dedupKey : "";
    };

    expect(keyOf("9007199254740993")).not.toBe(keyOf("9007199254740992"));
  });
});

describe("a signature", () => {
  const { bytes, headers } = notice("charge.success", paid);
  const right = headers.get("x-paystack-signature") ?? "";
  const read = (given: string | null, body = bytes) =>
    readNotice(
      {
        bytes: body,
        headers: new Headers(given === null ? {} : { "x-paystack-signature": given }),
        token: null,
      },
      terms,
    ).kind;

  test("of the secret is taken", () => expect(read(right)).toBe("notice"));

  test.each([
    ["none", null],
    ["an empty one", ""],
    ["upper case", right.toUpperCase()],
    ["half of it", right.slice(0, 64)],
    ["two of them", `${right}, ${right}`],
    ["one of another secret", signed(bytes, "sk_test_0ther").headers.get("x-paystack-signature")],
  ])("that is %s is rejected", (_, given) => expect(read(given)).toBe("reject"));

  test("over the same JSON in other bytes is rejected", () => {
    const reserialized = new TextEncoder().encode(
      JSON.stringify({ event: "charge.success", data: paid }, null, 1),
    );

    expect(read(right, reserialized)).toBe("reject");
  });

  test("does not hold once any bit of the body is another one", () => {
    const kinds = [...bytes.keys()].flatMap((at) =>
      [1, 128].map((bit) => read(right, bytes.with(at, (bytes[at] ?? 0) ^ bit))),
    );

    expect(new Set(kinds)).toEqual(new Set(["reject"]));
  });

  test.each(["", "null", "[]", "12", '{"event":1}', "\u{feff}{}", "{"])(
    "over %p is right, and the body still is no notice",
    (text) => expect(() => readNotice(signed(text), terms)).toThrow(),
  );
});

describe("what the former secret signed", () => {
  const FORMER = "sk_test_9Bb19Bb19Bb1";
  const sent = signed(JSON.stringify({ event: "charge.success", data: paid }), FORMER);
  const until = (instant: number) => ({ ...terms, former: { secret: FORMER, until: instant } });

  test("is taken while Paystack may send it again", () => {
    expect(readNotice(sent, until(NOW + 1)).kind).toBe("notice");
  });

  test("is not taken any more afterwards", () => {
    expect(readNotice(sent, until(NOW))).toEqual({ kind: "reject" });
  });

  test("is not taken where there was none before", () => {
    expect(readNotice(sent, terms)).toEqual({ kind: "reject" });
  });

  test("is taken beside what the present one signs", () => {
    expect(readNotice(notice("charge.success", paid), until(NOW + 1)).kind).toBe("notice");
  });
});
