// The link with which the owner of an email ends marketing to it. It has the address itself, sealed, so that it works
// as long as the secret of contacts exists: without its cart, without a customer, and after other links were renewed.

import { SealBroken, type Vault } from "#platform/vault/vault.ts";

import { linkInvalid, type LinkTerms } from "./link-token.ts";

/** The path of the link, before its token. */
export const UNSUBSCRIBE_PATH = "/u";

/** The place for which the address is sealed. */
const PLACE = "unsubscribe link";

/** Returns the address of the page that ends marketing to the email; another one each time. */
export function unsubscribeUrlOf(
  { publicUrl }: Pick<LinkTerms, "publicUrl">,
  contacts: Vault,
  email: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}/${contacts.seal(email, PLACE)}`;
}

/** Returns the email of the link. Refuses with `recovery_link_invalid` what was not sealed in this shop. */
export function readUnsubscribeLink(token: string, contacts: Vault | undefined): string {
  if (contacts === undefined) throw linkInvalid();
  try {
    return contacts.unseal(token, PLACE);
  } catch (error) {
    if (error instanceof SealBroken) throw linkInvalid();
    throw error;
  }
}
