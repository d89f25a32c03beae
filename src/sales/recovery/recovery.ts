// Recovery links: signed, for one cart or order, for a month. Invariant: nobody who lacks the
// secret can make a token or bend one to another cart.

import { timingSafeEqual } from "node:crypto";

import { type Id, isId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { EXPIRES_AFTER_MS } from "#sales/carts/cart.ts";

/** A link lives as long as the cart it leads to. */
export const LINK_VALID_MS = EXPIRES_AFTER_MS;
export const SECRET_BYTES = 32;
/** Longer than any token: a kind, 26 characters, an instant and 43 of signature. */
export const TOKEN_LENGTH_MAX = 128;
/** Tells this use of the secret from any other there may be. */
const PURPOSE = "duka recovery link";
const TOKEN_FORM = /^([a-z]+_[0-9a-z]{26})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

export const recoveryLinkInvalid = defineRefusal(
  "recovery_link_invalid",
  "invalid",
  "This is no recovery token of this shop.",
);
export const recoveryLinkExpired = defineRefusal(
  "recovery_link_expired",
  "invalid",
  "The recovery link has run out.",
);

/** The token that leads to the cart or order until then, epoch milliseconds. */
export function signToken(
  subject: Id<"cart"> | Id<"order">,
  until: number,
  secret: string,
): string {
  const claim = `${subject}.${until.toString(36)}`;
  return `${claim}.${signature(claim, secret)}`;
}

/**
 * What a token leads to. Refuses with `recovery_link_invalid` unless it was signed here, and with
 * `recovery_link_expired` after its time.
 */
export function readToken(
  token: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Id<"cart"> | Id<"order"> {
  const [, subject = "", until = "", given = ""] = TOKEN_FORM.exec(token) ?? [];
  const expected = signature(`${subject}.${until}`, secret);
  const isSigned = timingSafeEqual(Buffer.from(given.padEnd(43)), Buffer.from(expected));
  if (!isSigned || !(isId("cart", subject) || isId("order", subject))) throw recoveryLinkInvalid();
  if (Number.parseInt(until, 36) <= now) throw recoveryLinkExpired();
  return subject;
}

/**
 * Where the customer is sent: the merchant's own address with the token in its place or else as
 * `token=` in the query, and without one a page of this shop.
 */
export function recoveryUrl(template: string | null, publicUrl: string, token: string): string {
  if (template === null) return `${publicUrl}/recover/${token}`;
  if (template.includes("{token}")) return template.replaceAll("{token}", token);
  const url = new URL(template);
  url.searchParams.append("token", token);
  return url.href;
}

/** HMAC-SHA256 (RFC 2104). */
function signature(claim: string, secret: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(`${PURPOSE}\n${claim}`).digest("base64url");
}
