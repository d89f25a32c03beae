// Stripe's notices: events, signed over their exact bytes. Invariant: nothing of a body is read before a signature
// over it held, and of what is read only names leave this file.

import { createHmac, timingSafeEqual } from "node:crypto";

import type { Clock } from "#kernel/time.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import type { ArrivedNotice, Notice } from "#payments/port/notice.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";

import { metadataOf } from "./outcomes.ts";

const SIGNATURE_HEADER = "stripe-signature";
/** How old a signature may be, seconds; one from the future is not refused. */
const AGE_MAX = 300;
/** A header that is given twice has a space between its two. */
const PARTS = /^\w+=\w+(?:,\w+=\w+)*$/;
const STAMP = /^\d{1,12}$/;
const V1 = /^[0-9a-f]{64}$/;
const EVENT_ID = /^evt_\w{1,250}$/;
const REFERENCE = /^[\w-]{1,120}$/;

export interface NoticeTerms {
  /** The machine's. */
  readonly clock: Clock;
  readonly webhookSecrets: readonly string[];
}

type Topic = Extract<Notice, { kind: "notice" }>["topic"];

const topics: readonly (readonly [types: RegExp, topic: Topic])[] = [
  [/^checkout\.session\./, "payment"],
  [/^payment_intent\.(?:succeeded|payment_failed|canceled|processing)$/, "payment"],
  [/^(?:refund\.|charge\.refunded$)/, "refund"],
  [/^charge\.dispute\./, "dispute"],
  [/^payout\./, "payout"],
];

/** The event if one of the secrets signed it within five minutes; else `reject`. Throws where it is no event. */
export function readNotice({ bytes, headers }: ArrivedNotice, terms: NoticeTerms): Notice {
  if (!isSigned(bytes, headers.get(SIGNATURE_HEADER) ?? "", terms)) return { kind: "reject" };
  const event = new Fields(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  const dedupKey = event.text("id");
  if (!EVENT_ID.test(dedupKey)) throw event.surprise("id");
  const mode = event.flag("livemode") ? "live" : "test";
  const ignored = { kind: "notice", dedupKey, gatewayReference: null, names: [], mode } as const;
  // Thin events have no object, and those of connected accounts are not about this one.
  const isOwn = event.text("object") === "event" && event.textOrNull("account") === null;
  const topic = isOwn ? topicOf(event.text("type")) : "other";
  if (topic === "other") return { ...ignored, topic };
  const object = event.fields("data").fields("object");
  return { ...ignored, topic, gatewayReference: referenceOf(object), names: namesOf(object) };
}

function topicOf(type: string): Topic {
  return topics.find(([types]) => types.test(type))?.[1] ?? "other";
}

function isSigned(
  bytes: Uint8Array,
  header: string,
  { clock, webhookSecrets }: NoticeTerms,
): boolean {
  if (!PARTS.test(header)) return false;
  const parts = header.split(",");
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [stamp = "", ...others] = valuesOf("t");
  if (!STAMP.test(stamp) || others.length > 0) return false;
  if (Math.floor(clock.now() / 1000) - Number(stamp) > AGE_MAX) return false;
  const given = valuesOf("v1").filter((one) => V1.test(one));
  return webhookSecrets.some((secret) => {
    const right = createHmac("sha256", secret).update(`${stamp}.`).update(bytes).digest();
    return given.some((one) => timingSafeEqual(Buffer.from(one, "hex"), right));
  });
}

function referenceOf(object: Fields): string | null {
  const reference =
    object.textOrNull("client_reference_id") ?? metadataOf(object, "duka_reference");
  return reference !== null && REFERENCE.test(reference) ? reference : null;
}

const kinds: Readonly<Record<string, GatewayName["kind"]>> = {
  "checkout.session": "session",
  payment_intent: "intent",
  charge: "charge",
  refund: "refund",
  dispute: "dispute",
};

/** The object itself, and the payment to which it belongs. */
export function namesOf(object: Fields): GatewayName[] {
  const own = kinds[object.text("object")];
  const named = [
    own === undefined ? null : { kind: own, name: object.text("id") },
    nameOf("intent", object.idOrNull("payment_intent")),
    nameOf("charge", object.idOrNull("charge")),
  ];
  return named.filter((one) => one !== null);
}

function nameOf(kind: GatewayName["kind"], name: string | null): GatewayName | null {
  return name === null ? null : { kind, name };
}
