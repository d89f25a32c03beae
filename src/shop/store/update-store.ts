// Story: the merchant changes the shop's settings.

import { type Change, defined } from "#kernel/change.ts";
import { Faults } from "#kernel/refusal.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import type { Store } from "./get-store.ts";
import { lockStoreRow, replaceStore } from "./queries.ts";
import { isTimezone, storeNotFound, type StoreSettings } from "./store.ts";

export type StoreChange = Change<StoreSettings>;

/**
 * Afterwards the given settings hold and the rest is as it was. Refuses with `stale_version`, and
 * with `validation_failed` for a time zone nobody knows and a template that makes no address.
 */
export async function updateStore(
  tx: Tx,
  change: StoreChange,
  expected: ExpectedVersion,
): Promise<Store> {
  const before = await lockStoreRow(tx);
  if (before === undefined) throw storeNotFound();
  requireVersion(before.version, expected);
  const faults = new Faults();
  if (change.timezone !== undefined && !isTimezone(change.timezone)) {
    faults.add("/timezone", "invalid_choice", "This is not an IANA time zone.");
  }
  const template = change.recoveryUrlTemplate ?? null;
  if (template !== null && !URL.canParse(template.replaceAll("{token}", "token"))) {
    faults.add("/recovery_url_template", "invalid_format", "This is not a web address.");
  }
  faults.refuseIfAny();
  const after = { ...before, ...defined(change), version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceStore(tx, after))) throw new WriteConflict("The shop");
  return after;
}
