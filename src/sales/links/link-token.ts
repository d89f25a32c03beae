// The tokens of links that open something without a key. A token is signed for one purpose and valid for one
// cart, order or payment. Invariant: without the secret a token can neither be made nor changed, and a token of one
// purpose is not valid for another.

import { timingSafeEqual } from "node:crypto";

import { type Id, isId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import { EXPIRES_AFTER_MS } from "#sales/rows/cart.ts";

/**
 * Longer than any token: an id prefix, 26 characters, an instant and 43 characters of signature.
 */
export const TOKEN_LENGTH_MAX = 128;
const TOKEN_FORM = /^([a-z]+_[0-9a-z]{26})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

/** The terms with which the links of a shop are made. */
export interface LinkTerms {
  readonly secret: string;
  /** The address that links start with. */
  readonly publicUrl: string;
  /** The merchant's own page of an order, as the store has it; null for that of this server. */
  readonly orderUrlTemplate: string | null;
}

/** The terms as they are stored with the links. */
export type StoredLinkTerms = Omit<LinkTerms, "orderUrlTemplate">;

/** Signed with every claim: all links of a shop share one secret. */
export type LinkPurpose =
  | "recovery link"
  | "checkout link"
  | "order link"
  | "order link without contact"
  | "return link"
  | "alert link";

type Subject = Id<"cart"> | Id<"order"> | Id<"payment"> | Id<"alert">;

export interface LinkClaim {
  readonly purpose: LinkPurpose;
  readonly subject: Subject;
  /** The token is valid until this instant, epoch milliseconds. */
  readonly until: number;
}

/** How long a link of each purpose is valid at most, whatever it says itself. */
export const linkValidMs: Readonly<Record<LinkPurpose, number>> = {
  // As long as the cart that it opens.
  "recovery link": EXPIRES_AFTER_MS,
  "checkout link": EXPIRES_AFTER_MS,
  // Two years after the order: as long as the guarantee of most goods.
  "order link": 2 * 365 * DAY_MS,
  "order link without contact": 2 * 365 * DAY_MS,
  // A page of a gateway ends within days; who comes back later reads how it ended.
  "return link": 30 * DAY_MS,
  // It ends sessions: soon enough after the act, and never long after.
  "alert link": DAY_MS,
};
/** How far the clocks of programs that share a shop may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

interface Reading {
  readonly purposes: readonly LinkPurpose[];
  readonly secret: string;
  readonly now: number;
}

export const linkInvalid = defineRefusal("recovery_link_invalid", "invalid", {
  title: "The recovery link is not valid for this shop.",
  cause: "The token of the link is incomplete, was changed, or belongs to another shop.",
  remedy: "Open the link exactly as it was sent.",
});
export const orderTokenRequired = defineRefusal("order_token_required", "malformed", {
  title: "The request needs the token of an order.",
  cause: "The header `Order-Token` is missing.",
  remedy:
    "Send the `order_token` that the order was answered with, or the token of the link to its page, in the header `Order-Token`.",
});
export const linkExpired = defineRefusal("recovery_link_expired", "invalid", {
  title: "The recovery link has expired.",
  cause: "The link is older than its validity.",
  remedy: "Create a new cart.",
});

/** Returns the token of the claim. */
export function signToken({ purpose, subject, until }: LinkClaim, secret: string): string {
  const claim = `${subject}.${until.toString(36)}`;
  return `${claim}.${signature(purpose, claim, secret)}`;
}

/**
 * Returns what the token names, and for which of the purposes. Refuses with `recovery_link_invalid` unless it
 * was signed with the secret for one of them, and for no longer than `linkValidMs` from now, and with
 * `recovery_link_expired`.
 */
export function readToken(
  token: string,
  { purposes, secret, now }: Reading,
): Pick<LinkClaim, "purpose" | "subject"> {
  const [, subject = "", until = "", given = ""] = TOKEN_FORM.exec(token) ?? [];
  const bytes = Buffer.from(given.padEnd(43));
  const purpose = purposes.find((one) =>
    timingSafeEqual(bytes, Buffer.from(signature(one, `${subject}.${until}`, secret))),
  );
  if (purpose === undefined || !isSubject(subject)) throw linkInvalid();
  const untilMs = Number.parseInt(until, 36);
  if (untilMs > now + linkValidMs[purpose] + CLOCK_TOLERANCE_MS) throw linkInvalid();
  if (untilMs <= now) throw linkExpired();
  return { purpose, subject };
}

function isSubject(text: string): text is Subject {
  return isId("cart", text) || isId("order", text) || isId("payment", text) || isId("alert", text);
}

/** HMAC-SHA256 (RFC 2104). */
function signature(purpose: LinkPurpose, claim: string, secret: string): string {
  const signed = `duka ${purpose}\n${claim}`;
  return new Bun.CryptoHasher("sha256", secret).update(signed).digest("base64url");
}
