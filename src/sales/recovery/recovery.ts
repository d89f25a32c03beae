// Recovery tokens and the addresses that carry them. A token is signed and valid for one cart or
// order. Invariant: without the secret a token can neither be made nor changed to name another
// cart.

import { timingSafeEqual } from "node:crypto";

import { type Id, isId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { EXPIRES_AFTER_MS } from "#sales/carts/cart.ts";

/** A link is valid as long as the cart that it opens. */
export const LINK_VALID_MS = EXPIRES_AFTER_MS;
export const SECRET_BYTES = 32;
/**
 * Longer than any token: an id prefix, 26 characters, an instant and 43 characters of signature.
 */
export const TOKEN_LENGTH_MAX = 128;
/** Signed with every claim, so that a signature made for another purpose is not a valid token. */
const PURPOSE = "duka recovery link";
const TOKEN_FORM = /^([a-z]+_[0-9a-z]{26})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

export const recoveryLinkInvalid = defineRefusal("recovery_link_invalid", "invalid", {
  title: "The recovery link is not valid for this shop.",
  cause: "The token of the link is incomplete, was changed, or belongs to another shop.",
  remedy: "Open the link exactly as it was sent.",
});
export const recoveryLinkExpired = defineRefusal("recovery_link_expired", "invalid", {
  title: "The recovery link has expired.",
  cause: "The link is older than its validity.",
  remedy: "Create a new cart.",
});

/** Returns a token for the cart or order that is valid until the instant, in epoch milliseconds. */
export function signToken(
  subject: Id<"cart"> | Id<"order">,
  until: number,
  secret: string,
): string {
  const claim = `${subject}.${until.toString(36)}`;
  return `${claim}.${signature(claim, secret)}`;
}

/**
 * Returns the cart or order that the token names. Refuses with `recovery_link_invalid` unless it
 * was signed with the secret, and with `recovery_link_expired`.
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
 * Returns the address of a recovery link. A merchant's template gets the token in place of
 * `{token}`, or else as `token=` in its query; without a template the address is a page of this
 * server.
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
