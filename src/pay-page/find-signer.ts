// Finds the shop whose secret signed a link: the modes of a server have links of the same form.

import { Refusal } from "#kernel/refusal.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { linkInvalid } from "#sales/links/link-token.ts";

/** The thing that a link opens, and in which shop. */
export interface SignedBy<S, T> {
  readonly shop: S;
  readonly opened: T;
}

/** Opens a link in the shop that signed it. Refuses with `recovery_link_invalid` if none did, and as `open` does. */
export async function findSigner<S extends PaymentsShop, T>(
  shops: readonly S[],
  open: (shop: S) => Promise<T>,
): Promise<SignedBy<S, T>> {
  for (const shop of shops) {
    try {
      return { shop, opened: await open(shop) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.definition !== linkInvalid) throw error;
    }
  }
  throw linkInvalid();
}
