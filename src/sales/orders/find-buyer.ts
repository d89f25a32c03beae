// Lookup: who an order is for, among those the shop knows.

import type { Judgement } from "#catalog/products/judgement.ts";
import type { Customer } from "#customers/customer.ts";
import { findCustomerByContact } from "#customers/find-customer-by-contact.ts";
import { findCustomer } from "#customers/find-customer.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

export interface BuyerRequest {
  readonly customerId?: Id<"customer"> | undefined;
  readonly customer?:
    | {
        readonly email: string | null;
        readonly phone: string | null;
        readonly name: string | null;
      }
    | undefined;
}

/**
 * The customer with this id, else whoever has this email, then this phone; null for a counter sale
 * and for somebody new. Notes an id nobody has, a customer given twice, and one without a contact.
 */
export async function findBuyer(
  db: Reader,
  { customerId, customer }: BuyerRequest,
  judgement: Judgement,
): Promise<Customer | null> {
  if (customerId !== undefined && customer !== undefined) {
    judgement.invalid("/customer", "conflicting_fields", "Give either customer_id or customer.");
    return null;
  }
  if (customer !== undefined) {
    if (customer.email === null && customer.phone === null) {
      judgement.invalid("/customer/email", "required", "A customer has an email or a phone.");
      return null;
    }
    return (await findCustomerByContact(db, customer)) ?? null;
  }
  if (customerId === undefined) return null;
  const known = await findCustomer(db, customerId);
  if (known !== undefined && known.erasedAt === null) return known;
  judgement.invalid("/customer_id", "unknown_customer", "There is no such customer.");
  return null;
}
