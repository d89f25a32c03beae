// Story: update the shop's settings.

import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { hasTaxRates } from "#shop/taxes/lookups.ts";

import type { AllMethodSettings, MethodSettings } from "./payment-methods.ts";
import type { LimitsGiven } from "./public-limits.ts";
import { lockStore, storeRows } from "./queries.ts";
import {
  isCountry,
  isTimezone,
  type Store,
  storeCountryMissing,
  type StoreSettings,
} from "./store.ts";

export interface StoreChange extends Change<Omit<StoreSettings, "paymentMethods" | "limits">> {
  /** A method, and a field of it, that is not given stays as it is. */
  readonly paymentMethods?: Partial<Record<PaymentMethod, Change<MethodSettings>>> | undefined;
  /** Null restores the default of a bound. */
  readonly limits?: Change<LimitsGiven> | undefined;
}

/**
 * Writes the given settings and keeps the rest. Refuses with `stale_version`, with `validation_failed` for an
 * unknown time zone or country and for a template that does not yield a URL, and with `store_country_missing`
 * if the country would be removed while there are tax rates.
 */
export async function updateStore(
  tx: Tx,
  change: StoreChange,
  expected: ExpectedVersion,
): Promise<Store> {
  const before = await lockStore(tx);
  requireVersion(before.version, expected);
  refuseFaults(change);
  if (change.country === null && (await hasTaxRates(tx))) throw storeCountryMissing();
  const { paymentMethods: given = {}, limits = {}, ...fields } = change;
  const merged = mergeMethods(before.paymentMethods, given);
  return storeRows.save(tx, before, {
    ...defined(fields),
    paymentMethods: merged,
    limits: { ...before.limits, ...defined(limits) },
  });
}

function refuseFaults(change: StoreChange): void {
  const faults = new Faults();
  if (change.timezone !== undefined && !isTimezone(change.timezone)) {
    faults.add("/timezone", "invalid_choice", "The value is not an IANA time zone.");
  }
  if (typeof change.country === "string" && !isCountry(change.country)) {
    faults.add("/country", "invalid_choice", "The value is not the ISO 3166-1 code of a country.");
  }
  const template = change.recoveryUrlTemplate ?? null;
  if (template !== null && !URL.canParse(template.replaceAll("{token}", "token"))) {
    faults.add("/recovery_url_template", "invalid_format", "The value is not a valid URL.");
  }
  faults.refuseIfAny();
}

function mergeMethods(
  before: AllMethodSettings,
  given: NonNullable<StoreChange["paymentMethods"]>,
): AllMethodSettings {
  const merged: Partial<Record<PaymentMethod, MethodSettings>> = { ...before };
  for (const method of paymentMethods) {
    const settings = given[method];
    if (settings !== undefined) merged[method] = { ...merged[method], ...defined(settings) };
  }
  return merged;
}
