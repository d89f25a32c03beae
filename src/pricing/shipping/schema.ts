// The shipping of a request on the wire: once the shop has a rate, only a caller who may write orders names a charge.

import type { Reader } from "#platform/database/database.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";

import { hasZones } from "./lookups.ts";

/** A body that may name a charge for shipping. */
interface ChargeGiven {
  readonly shipping?: { readonly amount?: number | string } | null | undefined;
}

/** Refuses with `scope_missing` a charge that the caller may not name in this shop. */
export async function requireChargeScope(
  db: Reader,
  caller: Pick<Caller, "scopes">,
  { shipping }: ChargeGiven,
): Promise<void> {
  if (shipping?.amount === undefined || caller.scopes.has("orders:write")) return;
  if (await hasZones(db)) requireScope(caller, "orders:write", "`shipping` with an `amount`");
}
