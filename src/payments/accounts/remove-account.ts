// Story: the secrets of the shop at a vendor are deleted.

import type { Tx } from "#platform/database/database.ts";

import { gatewayAccountNotFound } from "./account.ts";
import { deleteAccountRow } from "./queries.ts";

/** Afterwards no secret of the gateway is stored. Refuses with `gateway_account_not_found`. */
export async function removeAccount(tx: Tx, gateway: string): Promise<void> {
  if (!(await deleteAccountRow(tx, gateway))) throw gatewayAccountNotFound();
}
