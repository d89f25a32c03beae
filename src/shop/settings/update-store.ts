// Story: update the shop's settings.

import { isCountry } from "#kernel/address.ts";
import { type Change, defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { readAmount } from "#kernel/money.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { findPeople } from "#shop/people/lookups.ts";
import { listPasskeysOf } from "#shop/people/passkeys/lookups.ts";
import { passkeyMissing } from "#shop/people/passkeys/passkey.ts";
import { isLocale } from "#shop/store/branding.ts";
import type { CheckoutGiven } from "#shop/store/checkout.ts";
import { type NotificationsGiven, notificationsOf } from "#shop/store/notifications.ts";
import type { AllMethodSettings, MethodSettings } from "#shop/store/payment-methods.ts";
import type { LimitsGiven } from "#shop/store/public-limits.ts";
import { lockStore, storeRows, withAccounts } from "#shop/store/queries.ts";
import {
  isTimezone,
  type Store,
  storeCountryMissing,
  type StoreSettings,
} from "#shop/store/store.ts";
import type { StoreRow } from "#shop/store/tables.ts";
import { hasTaxRates } from "#shop/taxes/lookups.ts";

export interface StoreChange extends Change<
  Omit<
    StoreSettings,
    "paymentMethods" | "limits" | "checkout" | "refundLimitMinor" | "notifications"
  >
> {
  /** Major units of the store's currency after the change. */
  readonly refundLimit?: number | string | null | undefined;
  /** A method, and a field of it, that is not given stays as it is. */
  readonly paymentMethods?: Partial<Record<PaymentMethod, Change<MethodSettings>>> | undefined;
  /** Null restores the default of a bound. */
  readonly limits?: Change<LimitsGiven> | undefined;
  /** Null restores the default of a rule. */
  readonly checkout?: Change<Omit<CheckoutGiven, "isAssumed">> | undefined;
  /** An email that is not given stays on or off. */
  readonly notifications?: Change<NotificationsGiven> | undefined;
}

/**
 * Writes the given settings and keeps the rest. Refuses with `stale_version`, with `validation_failed` for an
 * unknown time zone, country or locale, an address that is not a URL, a refund limit of the former currency and emails
 * about carts without a postal address, with `store_country_missing` if the country would be removed while there are tax
 * rates, and with `passkey_missing` where a person without a passkey asks others for one.
 */
export async function updateStore(
  tx: Tx,
  change: StoreChange,
  expected: ExpectedVersion,
): Promise<Store> {
  const before = await lockStore(tx);
  requireVersion(before.version, expected);
  const refundLimitMinor = readChange(before, change);
  await requireOwnPasskey(tx, change);
  if (change.country === null && (await hasTaxRates(tx))) throw storeCountryMissing();
  const { paymentMethods: given = {}, refundLimit: _read, ...others } = change;
  const { limits = {}, checkout, notifications = {}, ...fields } = others;
  const merged = mergeMethods(before.paymentMethods, given);
  const after = await storeRows.save(tx, before, {
    ...defined(fields),
    refundLimitMinor,
    paymentMethods: merged,
    limits: { ...before.limits, ...defined(limits) },
    checkout: checkoutAfter(before, checkout),
    notifications: { ...before.notifications, ...defined(notifications) },
  });
  return withAccounts(tx, after);
}

/** Rules that an upgrade assumed count as the merchant's own once any of them was given. */
function checkoutAfter({ checkout }: StoreRow, given: StoreChange["checkout"]): CheckoutGiven {
  if (given === undefined) return checkout;
  const { isAssumed: _was, ...rules } = checkout;
  return { ...rules, ...defined(given) };
}

/** A person who has none shows that passkeys work here first. */
async function requireOwnPasskey(tx: Tx, { requirePasskey }: StoreChange): Promise<void> {
  const { type, id } = tx.actor;
  if (requirePasskey === undefined || requirePasskey === "none" || type !== "person" || id === null)
    return;
  // People are in the live database alone.
  if ((await findPeople(tx, [id])).size === 0) return;
  if ((await listPasskeysOf(tx, id)).length === 0) throw passkeyMissing();
}

/** Reads the refund limit, and refuses with all that is wrong with the change. */
function readChange(before: StoreRow, change: StoreChange): Store["refundLimitMinor"] {
  const faults = new Faults();
  if (change.timezone !== undefined && !isTimezone(change.timezone)) {
    faults.add("/timezone", "invalid_choice", "The value is not an IANA time zone.");
  }
  if (typeof change.country === "string" && !isCountry(change.country)) {
    faults.add("/country", "invalid_choice", "The value is not the ISO 3166-1 code of a country.");
  }
  if (typeof change.locale === "string" && !isLocale(change.locale)) {
    faults.add("/locale", "invalid_choice", "The value is not a BCP 47 tag of a known language.");
  }
  addUnreadableAddresses(faults, change);
  addMissingPostalAddress(before, change, faults);
  const refundLimitMinor = readRefundLimit(before, change, faults);
  faults.refuseIfAny();
  return refundLimitMinor;
}

/** Marketing names who sends it and where they are, such as by CAN-SPAM (15 U.S.C. 7704). */
function addMissingPostalAddress(before: StoreRow, change: StoreChange, faults: Faults): void {
  const { postalAddress = before.postalAddress } = change;
  const notifications = { ...before.notifications, ...defined(change.notifications ?? {}) };
  if (postalAddress !== null || !notificationsOf({ notifications }).cart_abandoned) return;
  const detail = "Emails about carts need the postal address of the shop.";
  faults.add("/postal_address", "required", detail);
}

/** An amount of the former currency would be another amount in the new one. */
function readRefundLimit(
  { currency: former, refundLimitMinor }: StoreRow,
  { currency = former, refundLimit }: StoreChange,
  faults: Faults,
): Store["refundLimitMinor"] {
  const pointer = "/refund_limit";
  if (refundLimit === null) return null;
  if (refundLimit !== undefined) return readAmount(refundLimit, currency, { faults, pointer });
  if (refundLimitMinor !== null && currency !== former) {
    faults.add(pointer, "required", `Give the refund limit in ${currency}, or null.`);
  }
  return refundLimitMinor;
}

/** A template is an address once its token is filled in. */
function addUnreadableAddresses(faults: Faults, change: StoreChange): void {
  const addresses = {
    "/recovery_url_template": change.recoveryUrlTemplate?.replaceAll("{token}", "token"),
    "/order_url_template": change.orderUrlTemplate?.replaceAll("{token}", "token"),
    "/logo_url": change.logoUrl,
    "/website_url": change.websiteUrl,
  };
  for (const [pointer, address] of Object.entries(addresses)) {
    if (typeof address === "string" && !URL.canParse(address)) {
      faults.add(pointer, "invalid_format", "The value is not a valid URL.");
    }
  }
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
