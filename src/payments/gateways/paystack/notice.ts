// Paystack's notices, signed over their exact bytes with the secret itself. Invariant: nothing of a body is read before
// the signature held, and of what is read only names leave this file.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";

import { Fields } from "#payments/gateways/answers/fields.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import type { ArrivedNotice, Notice } from "#payments/port/notice.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";
import type { Mode } from "#platform/database/shop.ts";
import { parseStrictJson } from "#platform/http/strict-json.ts";

const SIGNATURE_HEADER = "x-paystack-signature";
const SIGNATURE = /^[0-9a-f]{128}$/;
const REFERENCE = /^[\w.=-]{1,120}$/;

type Topic = Extract<Notice, { kind: "notice" }>["topic"];

type NoticeTerms = Pick<VendorTerms, "mode" | "secret" | "former" | "clock">;

/** The event if the secret signed it, or the former one in its time; else `reject`. Throws where it is no event. */
export function readNotice({ bytes, headers }: ArrivedNotice, terms: NoticeTerms): Notice {
  const { mode: ownMode } = terms;
  const given = headers.get(SIGNATURE_HEADER) ?? "";
  if (!signingSecrets(terms).some((secret) => isSigned(bytes, given, secret))) {
    return { kind: "reject" };
  }
  const parsed = parseStrictJson(bytes);
  const notice = new Fields(parsed.ok ? parsed.value : null);
  const event = notice.text("event");
  const topic = topicOf(event);
  if (topic === "other") return otherNotice(event, { bytes, mode: ownMode });
  const data = notice.fields("data");
  const domain = data.textIfAny("domain") ?? ownMode;
  const mode = domain === "live" ? "live" : "test";
  const dedupKey = `${event} ${subjectOf(data, bytes)}`;
  const known = { kind: "notice", dedupKey, topic, mode } as const;
  return { ...known, gatewayReference: referenceOf(data, topic), names: namesOf(data, topic) };
}

function signingSecrets({ secret, former, clock }: NoticeTerms): string[] {
  return former !== undefined && clock.now() < former.until ? [secret, former.secret] : [secret];
}

/** Nothing is read of what it is about: that may be a list, or anything else. */
function otherNotice(
  event: string,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: Mode },
): Notice {
  const dedupKey = `${event} ${digestOf(bytes)}`;
  return { kind: "notice", dedupKey, topic: "other", mode, gatewayReference: null, names: [] };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isSigned(bytes: Uint8Array, given: string, secret: string): boolean {
  if (!SIGNATURE.test(given)) return false;
  const right = createHmac("sha512", secret).update(bytes).digest();
  return timingSafeEqual(Buffer.from(given, "hex"), right);
}

function topicOf(event: string): Topic {
  if (event === "charge.success") return "payment";
  if (event.startsWith("refund.")) return "refund";
  return event.startsWith("charge.dispute.") ? "dispute" : "other";
}

/** Two refunds of one amount have bytes alike: then copies cannot be told from them, and each leads to a poll. */
function subjectOf(data: Fields, bytes: Uint8Array): string {
  if (!data.isNull("id")) return data.numberedId("id");
  return data.textIfAny("refund_reference") ?? digestOf(bytes);
}

function referenceOf(data: Fields, topic: Topic): string | null {
  const reference =
    topic === "refund"
      ? data.textIfAny("transaction_reference")
      : topic === "dispute"
        ? (data.fieldsOrNull("transaction")?.textIfAny("reference") ?? null)
        : data.text("reference");
  return reference !== null && REFERENCE.test(reference) ? reference : null;
}

function namesOf(data: Fields, topic: Topic): GatewayName[] {
  return topic === "payment" ? [{ kind: "transaction", name: data.numberedId("id") }] : [];
}
