// Recordings have nothing of a person, an account or a secret, and a face that says otherwise is found.

import { describe, expect, test } from "bun:test";

import { contradictions } from "./contradictions.ts";
import { leakIn, type RecordedExchange, type Recording, recordingOf } from "./recording.ts";
import type { Exchange } from "./relay.ts";

const about = { vendor: "paystack", case: "case", now: 0, secret: "sk_test_3Fa03Fa03Fa0" };

function exchange(answer: unknown, given: Partial<Exchange> = {}): Exchange {
  const call = { method: "GET", path: "/transaction/verify/pay-01kf-1", query: "" };
  const headers = new Headers({ "content-type": "application/json" });
  const told = { status: 200, headers, answer: JSON.stringify(answer) };
  return { ...call, contentType: "", body: "", ...told, ...given };
}

function answerOf(answer: unknown): unknown {
  return recordingOf([exchange(answer)], about).exchanges[0]?.answer;
}

describe("a recording", () => {
  test("has the words, amounts and truths of the vendor", () => {
    const told = { status: "success", amount: 2450, currency: "GHS", paid: true, fees: null };

    expect(answerOf(told)).toEqual(told);
  });

  test("has neither people nor addresses, ids nor instants", () => {
    const told = {
      customer: { email: "ada@example.com", first_name: "Ada", phone: "+233551234987" },
      ip_address: "154.160.1.1",
      authorization: { authorization_code: "AUTH_8dfhjjdt", last4: "4081" },
      url: "https://checkout.example/3ni8kdavz62431k",
      paid_at: "2026-11-23T10:00:00.000Z",
      id: 4_099_260_516,
    };

    expect(answerOf(told)).toEqual({
      customer: { email: "<email:1>", first_name: "<text:1>", phone: "<number:1>" },
      ip_address: "<ip:1>",
      authorization: { authorization_code: "<text:2>", last4: "<number:2>" },
      url: "<url:1>",
      paid_at: "<time:1>",
      id: 1_000_000_003,
    });
  });

  test("has the same in place of the same, so that names still join", () => {
    const [first, second] = ["pi_3Fa0Fa0Fa0Fa0Fa0", "pi_9Zz9Zz9Zz9Zz9Zz9"];

    expect(answerOf([{ intent: first }, { intent: second }, { latest: first }])).toEqual([
      { intent: "pi_0000000000000001" },
      { intent: "pi_0000000000000002" },
      { latest: "pi_0000000000000001" },
    ]);
  });

  test("has the call without what it is about, and the request by its members", () => {
    const body = JSON.stringify({ transaction: "pay-01kf-1", amount: 500 });
    const call = { method: "POST", path: "/refund/8812", contentType: "application/json", body };

    const [only] = recordingOf([exchange({}, call)], about).exchanges;

    expect(only).toMatchObject({
      call: "POST /refund/{id}",
      request: { transaction: "<text:1>", amount: 500 },
    });
  });

  test("is not made where a value that was replaced stands elsewhere", () => {
    const told = { name: "Ada Lovelace", message: "Paid by Ada Lovelace" };

    expect(() => answerOf(told)).toThrow("has a value that is replaced elsewhere");
  });

  test("is not made where a member has the name of a person", () => {
    expect(() => answerOf({ "ada@example.com": 1 })).toThrow("has an email address");
  });

  test.each([
    ["a secret", "rk_live_4aBc5d"],
    ["an email address", "ada@example.com"],
    ["an address of the web", "https://shop.example"],
    ["an address of a network", "154.160.1.1"],
    ["a phone number", "+233551234987"],
    ["a card number", "4242 4242 4242 4242"],
    ["a token", "eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0NTY3ODkwIn0abc"],
  ])("that has %s is found", (what, text) => {
    expect(leakIn(`{"a":"${text}"}`, [])).toBe(what);
  });
});

describe("a face", () => {
  const recorded = (...exchanges: readonly Partial<RecordedExchange>[]): Recording => ({
    vendor: "paystack",
    case: "case",
    recorded_on: "2026-11-23",
    api_version: null,
    exchanges: exchanges.map((one) => ({
      call: "GET /refund",
      query: {},
      request: null,
      status: 200,
      headers: {},
      answer: null,
      ...one,
    })),
  });

  test("agrees with a vendor that says the same and more", () => {
    const face = recorded({ answer: { data: [{ id: 1, note: null }] } });
    const vendor = recorded({ answer: { data: [{ id: 2, note: "x", more: true }], meta: {} } });

    expect(contradictions(face, vendor)).toEqual([]);
  });

  test("contradicts a vendor that has no such member, or another kind of value", () => {
    const face = recorded({ answer: { data: [{ id: 1, amont: 5 }] } });
    const vendor = recorded({ answer: { data: [{ id: "1", amount: 5 }] } });

    expect(contradictions(face, vendor)).toEqual([
      "GET /refund 200 /data/-/id is no number",
      "GET /refund 200 /data/-/amont is not there",
    ]);
  });

  test("contradicts a vendor that never answers so", () => {
    const face = recorded({ status: 404 });

    expect(contradictions(face, recorded({}))).toEqual([
      "GET /refund 404 was never answered by the vendor",
    ]);
  });

  test("is not held to what stands in a list that was empty", () => {
    const face = recorded({ answer: { data: [{ id: 1 }] } });

    expect(contradictions(face, recorded({ answer: { data: [] } }))).toEqual([]);
  });
});
