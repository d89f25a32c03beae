// The notices of Stripe at the shop's door: what proves their sender, and what is read of them.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import Stripe from "stripe";

import { type NoticeTerms, readNotice } from "#payments/gateways/stripe/notice.ts";
import type { Notice } from "#payments/port/notice.ts";

import {
  byToken,
  callTerms,
  lastNotice,
  onPage,
  openStripeGateway,
  WEBHOOK_SECRET,
} from "./adapter.ts";

const NOW_S = 1_767_225_600;
const SECRET = "whsec_duka";
const FORMER = "whsec_former";
/** Signed with `whsec_duka` at that second by openssl and by the vendor's own client. */
const vector = {
  body: '{"id":"evt_1","type":"payment_intent.succeeded","livemode":true,"data":{"object":{"id":"pi_1"}}}',
  v1: "415d57cdfbd75fee5ba8f53b9cb6320e00f3869f375e8f62300c1571fa9fa9ee",
};

const terms: NoticeTerms = { clock: { now: () => NOW_S * 1000 }, webhookSecrets: [SECRET] };
const encode = (text: string) => new TextEncoder().encode(text);

function v1Of(body: string | Uint8Array, { secret = SECRET, at = NOW_S } = {}): string {
  return createHmac("sha256", secret).update(`${at}.`).update(body).digest("hex");
}

function arrived(body: string | Uint8Array, signature: string | null) {
  const headers = new Headers(signature === null ? {} : { "stripe-signature": signature });
  const bytes = typeof body === "string" ? encode(body) : body;
  return { bytes, headers, token: null };
}

/** An event as the vendor has them. */
function eventOf(given: Readonly<Record<string, unknown>> = {}): string {
  const object = { id: "pi_1", object: "payment_intent", metadata: { duka_reference: "pay-1-1" } };
  const event = { id: "evt_1", object: "event", type: "payment_intent.succeeded", livemode: false };
  return JSON.stringify({ ...event, data: { object }, ...given });
}

function read(body: string | Uint8Array, given: Partial<NoticeTerms> = {}): Notice {
  return readNotice(arrived(body, `t=${NOW_S},v1=${v1Of(body)}`), { ...terms, ...given });
}

const isTaken = (signature: string | null, given: Partial<NoticeTerms> = {}, body = eventOf()) =>
  readNotice(arrived(body, signature), { ...terms, ...given }).kind === "notice";

describe("a signature", () => {
  test("is the one that the published example has", () => {
    expect(v1Of(vector.body)).toBe(vector.v1);
    expect(() => readNotice(arrived(vector.body, `t=${NOW_S},v1=${vector.v1}`), terms)).toThrow(
      "/object",
    );
  });

  test("of the vendor's own client is taken", async () => {
    const payload = eventOf();
    const stripe = new Stripe("sk_test_3Fa03Fa03Fa0");
    const header = await stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: SECRET,
      timestamp: NOW_S,
    });

    expect(isTaken(header)).toBe(true);
  });

  test("does not cover a body in which one bit is another, whichever it is", () => {
    const bytes = encode(eventOf());
    const header = `t=${NOW_S},v1=${v1Of(bytes)}`;

    const accepted = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const forged = Uint8Array.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return readNotice(arrived(forged, header), terms).kind;
    }).filter((kind) => kind !== "reject");

    expect(accepted).toEqual([]);
  });

  test("does not hold with one bit of it changed", () => {
    const right = Buffer.from(v1Of(eventOf()), "hex");

    const accepted = Array.from({ length: right.length * 8 }, (_, bit) => {
      const forged = Buffer.from(right);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return isTaken(`t=${NOW_S},v1=${forged.toString("hex")}`);
    });

    expect(new Set(accepted)).toEqual(new Set([false]));
  });

  test.each([
    [-301, false],
    [-300, true],
    [-299, true],
    [0, true],
    [3600, true],
  ])("that was made %p seconds from now is taken: %p", (seconds, taken) => {
    const at = NOW_S + seconds;

    expect(isTaken(`t=${at},v1=${v1Of(eventOf(), { at })}`)).toBe(taken);
  });

  test("of either secret holds while both are set, and of a former one no longer", () => {
    const [now, former] = [SECRET, FORMER].map(
      (secret) => `t=${NOW_S},v1=${v1Of(eventOf(), { secret })}`,
    );
    const both = { webhookSecrets: [SECRET, FORMER] };

    expect([isTaken(now ?? "", both), isTaken(former ?? "", both)]).toEqual([true, true]);
    expect(isTaken(former ?? "")).toBe(false);
    expect(isTaken(now ?? "", { webhookSecrets: [] })).toBe(false);
  });

  const right = `v1=${v1Of(eventOf())}`;
  const wrong = `v1=${"0".repeat(64)}`;
  test.each<[string, string | null, boolean]>([
    ["two of which one is right", `t=${NOW_S},${wrong},${right}`, true],
    ["an old scheme beside it", `t=${NOW_S},v0=abc,${right}`, true],
    ["an old scheme alone", `t=${NOW_S},${right.replace("v1", "v0")}`, false],
    ["capital letters", `t=${NOW_S},${right.toUpperCase().replace("V1", "v1")}`, false],
    ["a space", `t=${NOW_S}, ${right}`, false],
    ["no stamp", right, false],
    ["a stamp that is no number", `t=now,${right}`, false],
    ["a stamp below zero", `t=-1,${right}`, false],
    ["two stamps", `t=${NOW_S},t=${NOW_S},${right}`, false],
    ["the header twice", `t=${NOW_S},${right}, t=${NOW_S},${right}`, false],
    ["half of it", `t=${NOW_S},${right.slice(0, 40)}`, false],
    ["nothing", "", false],
    ["no header", null, false],
  ])("with %s: %#", (_, header, taken) => {
    expect(isTaken(header)).toBe(taken);
  });
});

describe("a signed body", () => {
  test.each<[string, string | Uint8Array]>([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a number", "1"],
    ["nothing", ""],
    ["a NUL", `${eventOf()}\0`],
    ["bytes that are not UTF-8", Uint8Array.of(...encode(eventOf().slice(0, -1)), 0xff)],
    ["no id", eventOf({ id: null })],
    ["another id", eventOf({ id: "evt_1 evt_2" })],
    ["no mode", eventOf({ livemode: "false" })],
    ["no object", eventOf({ data: null })],
    ["20,000 levels", "[".repeat(20_000)],
  ])("with %s is no notice", (_, body) => {
    expect(() => read(body)).toThrow();
  });

  test("may begin with a byte order mark, and have members that JavaScript treats specially", () => {
    expect(read(`\u{feff}${eventOf()}`).kind).toBe("notice");
    expect(read(eventOf().replace("{", '{"__proto__":{"livemode":true},'))).toMatchObject({
      mode: "test",
    });
  });

  test.each([
    [{ type: "payment_intent.created" }],
    [{ type: "customer.created" }],
    [{ account: "acct_other" }],
    [{ object: "v2.core.event", data: undefined }],
  ])("that is about nothing here is taken and names nothing: %p", (given) => {
    expect(read(eventOf(given))).toEqual({
      kind: "notice",
      dedupKey: "evt_1",
      gatewayReference: null,
      names: [],
      topic: "other",
      mode: "test",
    });
  });

  test("of another version of the API is read, since only names are taken from it", () => {
    expect(read(eventOf({ api_version: "2019-02-11" }))).toMatchObject({
      topic: "payment",
      gatewayReference: "pay-1-1",
    });
  });

  test("of the other mode says so", () => {
    expect(read(eventOf({ livemode: true }))).toMatchObject({ mode: "live" });
  });

  test("has no reference where another program's stands", () => {
    const object = { id: "cs_1", object: "checkout.session", client_reference_id: "a b; c" };

    expect(read(eventOf({ type: "checkout.session.completed", data: { object } }))).toMatchObject({
      gatewayReference: null,
      names: [{ kind: "session", name: "cs_1" }],
    });
  });
});

describe("the vendor's notices", () => {
  test("of a page, a refund and a dispute lead to the payment, by reference or by name", async () => {
    await using rig = await openStripeGateway();
    const attempt = onPage({ gatewayEndsAt: Date.now() + 3_600_000 });
    await rig.gateway.initiate(attempt, callTerms().terms);
    await rig.face.payOnPage(rig.face.account.sessions.all()[0]?.id ?? "", "pm_card_visa");
    const [intent] = rig.face.account.intents.all();
    rig.face.dashboard.refund(intent?.id ?? "", { amountMinor: 500 });
    rig.face.dashboard.dispute(intent?.id ?? "");

    const { events } = rig.face.notices;
    const parsed = events.map((event) => {
      const signed = rig.face.notices.sign(event, WEBHOOK_SECRET);
      return [event.type, rig.gateway.parseWebhook({ ...signed, token: null })] as const;
    });

    const byType = Object.fromEntries(parsed);
    const { gatewayReference } = attempt;
    const named = { kind: "intent", name: intent?.id };
    const topicsOf = Object.entries(byType).map(([type, told]) => [
      type,
      told.kind === "notice" ? told.topic : told.kind,
    ]);
    expect(Object.fromEntries(topicsOf)).toEqual({
      "payment_intent.created": "other",
      "charge.succeeded": "other",
      "payment_intent.succeeded": "payment",
      "checkout.session.completed": "payment",
      "refund.created": "refund",
      "charge.refunded": "refund",
      "charge.dispute.created": "dispute",
      "charge.dispute.funds_withdrawn": "dispute",
    });
    expect(byType["checkout.session.completed"]).toMatchObject({ gatewayReference });
    expect(byType["charge.refunded"]).toMatchObject({ gatewayReference });
    expect(byType["refund.created"]).toMatchObject({
      gatewayReference: null,
      names: [{ kind: "refund" }, named, { kind: "charge" }],
    });
    expect(byType["charge.dispute.created"]).toMatchObject({
      names: [{ kind: "dispute" }, named, { kind: "charge" }],
    });
  });

  test("is refused on a machine whose clock is ten minutes ahead", async () => {
    await using rig = await openStripeGateway({ startsAt: 0 });
    await rig.gateway.initiate(byToken("pm_card_visa"), callTerms().terms);
    const notice = lastNotice(rig.face);

    rig.face.pass(600_000);

    expect(rig.gateway.parseWebhook(notice)).toEqual({ kind: "reject" });
  });
});
