// The vendors that this program knows, as a table: what their secrets look like, and how a gateway is made of one.
// Invariant: no fault repeats a secret.

import type { Clock } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { Gateway } from "./port.ts";

/** What a gateway of a vendor is made of. */
export interface VendorTerms {
  readonly mode: Mode;
  /** The machine's: the clock of a test shop may be days ahead of the vendor's. */
  readonly clock: Clock;
  readonly secret: string;
  /** The secrets that sign notices, the newest first; empty for a vendor that has none of its own. */
  readonly webhookSecrets: readonly string[];
  /** The URL of its API, without a final slash; with a live secret always the vendor's own. */
  readonly address: string;
}

export interface Vendor {
  /** The id of its gateway. */
  readonly id: string;
  /** How a secret of the mode begins. */
  readonly prefixes: Readonly<Record<Mode, readonly string[]>>;
  readonly construct: (terms: VendorTerms) => Gateway;
}

/** What the secret of a vendor is sealed for. */
export function placeOfSecret({ id }: Pick<Vendor, "id">, mode: Mode): string {
  return `gateway ${id} ${mode} secret`;
}

/** Why the text is no secret of the vendor in this mode, written to follow a name; null if it may be one. */
export function secretFault({ prefixes }: Vendor, mode: Mode, secret: string): string | null {
  if (/\s/.test(secret)) return "contains white space";
  if (!/^\w+$/.test(secret)) return "has other characters than letters, digits and _";
  const begins = (prefix: string) => secret.startsWith(prefix) && secret.length > prefix.length;
  if (prefixes[mode].some(begins)) return null;
  const other = mode === "live" ? "test" : "live";
  if (prefixes[other].some(begins)) return `is a secret of ${other} mode`;
  return `must begin with ${prefixes[mode].join(" or ")}`;
}

/** The gateways of the vendors that have a secret, in the order of the table. */
export function openVendors(
  vendors: readonly Vendor[],
  termsOf: (vendor: Vendor) => VendorTerms | null,
): Gateway[] {
  return vendors.flatMap((vendor) => {
    const terms = termsOf(vendor);
    return terms === null ? [] : [vendor.construct(terms)];
  });
}
