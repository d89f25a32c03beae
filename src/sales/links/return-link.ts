// The link to which a gateway returns the customer of a payment, from whatever page of its own. Every call about an
// attempt names the same one.

import { type Id, isId } from "#kernel/id.ts";

import { linkInvalid, type LinkTerms, linkValidMs, readToken, signToken } from "./link-token.ts";

/** The path of a return link, before its token. */
export const RETURN_PATH = "/pay/return";

const purpose = "return link";

/** Returns the address to which the customer of the payment comes back. */
export function returnUrlOf(
  { secret, publicUrl }: LinkTerms,
  { id: subject, createdAt }: { readonly id: Id<"payment">; readonly createdAt: number },
): string {
  const until = createdAt + linkValidMs[purpose];
  return `${publicUrl}${RETURN_PATH}/${signToken({ purpose, subject, until }, secret)}`;
}

/**
 * Returns the payment of the link. Refuses with `recovery_link_invalid` unless it was signed with the secret, and
 * with `recovery_link_expired`.
 */
export function readReturnLink(
  token: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Id<"payment"> {
  const { subject } = readToken(token, { purposes: [purpose], secret, now });
  if (!isId("payment", subject)) throw linkInvalid();
  return subject;
}
