// Workflow: a session, by the code of a customer or by the word of the shop.

import type { OpenedSession } from "#customers/sessions/open-session.ts";
import type { Shop } from "#platform/database/shop.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";

import { admitCustomer } from "./admit-customer.ts";
import type { SessionRequest } from "./schema.ts";
import { signInCustomer } from "./sign-in-customer.ts";

/** Refuses with `code_invalid`, `scope_missing`, and with the refusals of `admitCustomer`. */
export async function openCustomerSession(
  shop: Shop,
  request: SessionRequest,
  caller: Caller,
): Promise<OpenedSession> {
  if (request.by === "code") {
    requireScope(caller, "customers:login", "A code");
    return signInCustomer(shop, request.contact, request.code);
  }
  requireScope(caller, "customers:write", "customer_id");
  return shop.database.write((tx) => admitCustomer(tx, request.customerId, request.contact));
}
