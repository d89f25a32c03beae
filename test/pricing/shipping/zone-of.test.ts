// Which zone an address is in: the closest place wins, whatever the order of zones and places.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Area } from "#kernel/area.ts";
import { zoneOf } from "#pricing/shipping/zone.ts";

const place = (country: string, more: Partial<Area> = {}): Area => ({
  country,
  region: null,
  postalPrefix: null,
  ...more,
});
const zone = (name: string, ...places: Area[]) => ({ name, places });
const at = (country: string | null, region: string | null, postalCode: string | null) => ({
  country,
  region,
  postalCode,
});

describe("the zone of an address", () => {
  const zones = [
    zone("world", place("*")),
    zone("home", place("GH")),
    zone("accra", place("GH", { region: "Greater Accra" })),
    zone("airport", place("GH", { postalPrefix: "GA-1" })),
    zone("terminal", place("GH", { postalPrefix: "ga 184" })),
    zone("france", place("FR", { region: "Île-de-France" })),
  ];

  test.each([
    ["everywhere else", at("KE", "Nairobi", "00100"), "world"],
    ["its country", at("GH", "Ashanti", "AK-039"), "home"],
    ["its region in another spelling", at("GH", "GREATER  ACCRA ", null), "accra"],
    ["its region without accents", at("FR", "ile de france", "75001"), "france"],
    ["its postal prefix before its region", at("GH", "Greater Accra", "ga10001"), "airport"],
    ["the longer of two postal prefixes", at("GH", "Greater Accra", "GA-184-0001"), "terminal"],
    ["its country where region and postal code are unknown", at("GH", null, null), "home"],
    ["everywhere else where only the region is listed", at("FR", "Bretagne", null), "world"],
  ])("is that of %s", (_, address, expected) => {
    expect(zoneOf(zones, address)?.name).toBe(expected);
    expect(zoneOf(zones.toReversed(), address)?.name).toBe(expected);
  });

  test("is unknown without a country, even in a shop that ships everywhere", () => {
    expect(zoneOf(zones, at(null, "Greater Accra", "GA-184"))).toBeNull();
  });

  test("is none where no place has it", () => {
    expect(zoneOf([zone("home", place("GH"))], at("KE", null, null))).toBeNull();
  });
});

const country = fc.constantFrom("GH", "KE");
const places = fc.oneof(
  fc.constant(place("*")),
  country.map((code) => place(code)),
  fc.tuple(country, fc.constantFrom("a", "b")).map(([code, region]) => place(code, { region })),
  fc
    .tuple(country, fc.string({ unit: fc.constantFrom("1", "2"), minLength: 1, maxLength: 3 }))
    .map(([code, postalPrefix]) => place(code, { postalPrefix })),
);
const distinct = fc.uniqueArray(places, { selector: (one) => JSON.stringify(one), maxLength: 12 });
const addresses = fc.record({
  country: fc.constantFrom("GH", "KE", "TZ"),
  region: fc.constantFrom(null, "a", "b", "c"),
  postalCode: fc.option(fc.string({ unit: fc.constantFrom("1", "2"), maxLength: 4 })),
});

/** Asks for the places that would have the address, from the closest to the farthest. */
function closestOf(all: readonly Area[], address: ReturnType<typeof at>): Area | null {
  const { region, postalCode } = address;
  const code = address.country ?? "";
  const text = postalCode ?? "";
  const wanted = [
    ...Array.from({ length: text.length }, (_, cut) =>
      place(code, { postalPrefix: text.slice(0, text.length - cut) }),
    ),
    ...(region === null ? [] : [place(code, { region })]),
    place(code),
    place("*"),
  ];
  for (const one of wanted) {
    const found = all.find((other) => Bun.deepEquals(other, one));
    if (found !== undefined) return found;
  }
  return null;
}

test("the zone of any address has its closest place", () => {
  fc.assert(
    fc.property(distinct, addresses, fc.integer({ min: 1, max: 4 }), (all, address, count) => {
      const zones = Array.from({ length: count }, (_, index) => ({
        places: all.filter((__, position) => position % count === index),
      }));
      const expected = closestOf(all, address);

      const found = zoneOf(zones, address);

      const owner = zones.find((one) => expected !== null && one.places.includes(expected));
      expect(found).toBe(owner ?? null);
    }),
  );
});
