// Workflow: opens the link to which a gateway returns a customer. Invariant: it has no effect but a poll.

import { pollBriefly } from "#payments/attempts/poll-briefly.ts";
import { getPayment } from "#payments/payments/lookups.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { readReturnLink } from "#sales/links/return-link.ts";

import { findSigner } from "../find-signer.ts";

export interface ReturnToOpen {
  readonly shops: readonly PaymentsShop[];
  readonly token: string;
  /** True if the customer came: a request for the headers alone is no return. */
  readonly isVisit: boolean;
}

export interface OpenedReturn {
  readonly shop: PaymentsShop;
  readonly payment: Payment;
}

/**
 * Returns the payment of the link as its gateway knows it now. Refuses with `recovery_link_invalid` unless one of the
 * shops signed the link, with `recovery_link_expired`, and with `payment_not_found`.
 */
export async function openReturn({ shops, token, isVisit }: ReturnToOpen): Promise<OpenedReturn> {
  const { shop, opened: id } = await findSigner(shops, async ({ database, clock }) => {
    const { secret } = await getLinkTerms(database.read);
    return readReturnLink(token, { secret, now: clock.now() });
  });
  const { payment } = isVisit
    ? await pollBriefly(shop, id, "return")
    : await getPayment(shop.database.read, id);
  return { shop, payment };
}
