// Areas of the world for which something holds, such as shipping or a tax, and which of them is the closest to an address.

import { type Address, foldPostalCode, foldRegion, isCountry } from "./address.ts";
import type { Faults } from "./refusal.ts";

/** The area that has everything which no other one has. */
export const EVERYWHERE = "*";

/** A country, a region of it, or the postal codes of it that begin alike. */
export interface Area {
  /** ISO 3166-1 alpha-2, or `*`. */
  readonly country: string;
  readonly region: string | null;
  readonly postalPrefix: string | null;
}

/** The parts of an address that decide on what holds for it. */
export type AreaOfAddress = Pick<Address, "country" | "region" | "postalCode">;

/** An address whose region and postal code are as they are compared; empty where they are unknown. */
export interface FoldedAddress {
  readonly country: string;
  readonly region: string;
  readonly postalCode: string;
}

/** The area as areas are compared: equal for those that the same addresses are in. */
export function foldArea({ country, region, postalPrefix }: Area): Area {
  return {
    country,
    region: region === null ? null : foldRegion(region),
    postalPrefix: postalPrefix === null ? null : foldPostalCode(postalPrefix),
  };
}

/** An address of a known country as it is compared. */
export function foldAddress({
  country,
  region,
  postalCode,
}: AreaOfAddress & Pick<FoldedAddress, "country">): FoldedAddress {
  return {
    country,
    region: foldRegion(region ?? ""),
    postalCode: foldPostalCode(postalCode ?? ""),
  };
}

/**
 * How closely an area, as `foldArea` makes it, describes the address; -1 where the address is elsewhere. A postal prefix
 * beats a region, a region beats a country, and a country beats everywhere; of two prefixes the longer one wins.
 */
export function closenessOf({ country, region, postalPrefix }: Area, at: FoldedAddress): number {
  if (country === EVERYWHERE) return 0;
  if (country !== at.country) return -1;
  if (postalPrefix !== null) {
    return at.postalCode.startsWith(postalPrefix) ? 2 + postalPrefix.length : -1;
  }
  if (region !== null) return region === at.region ? 2 : -1;
  return 1;
}

/**
 * Adds a fault for an unknown country, a region or prefix that no address can have, a part of everywhere, and a region
 * with a prefix. The pointer is that of the area.
 */
export function checkArea(area: Area, pointer: string, faults: Faults): void {
  const { country, region, postalPrefix } = area;
  if (country !== EVERYWHERE && !isCountry(country)) {
    const detail = "The value is not the ISO 3166-1 code of a country.";
    faults.add(`${pointer}/country`, "invalid_choice", detail);
  }
  if (region !== null && foldRegion(region) === "") {
    faults.add(`${pointer}/region`, "invalid_format", "A region has a letter or a digit.");
  }
  if (postalPrefix !== null && foldPostalCode(postalPrefix) === "") {
    const detail = "The beginning of a postal code has a letter or a digit.";
    faults.add(`${pointer}/postal_prefix`, "invalid_format", detail);
  }
  checkParts(area, pointer, faults);
}

function checkParts({ country, region, postalPrefix }: Area, pointer: string, faults: Faults) {
  const isEverywhere = country === EVERYWHERE;
  if (isEverywhere && region !== null) {
    faults.add(`${pointer}/region`, "conflicting_fields", "A region needs its country.");
  }
  if (postalPrefix === null || (!isEverywhere && region === null)) return;
  const detail = isEverywhere
    ? "The beginning of a postal code needs its country."
    : "A place has a region or the beginning of a postal code, not both.";
  faults.add(`${pointer}/postal_prefix`, "conflicting_fields", detail);
}
