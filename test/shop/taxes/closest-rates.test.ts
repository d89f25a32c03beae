// Which rates hold at an address: those of the closest area, found by brute force.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { type Area, closenessOf, foldAddress, foldArea } from "#kernel/area.ts";

const signs = fc.constantFrom("1", "2", "a", "B", " ", "-");
const written = fc
  .string({ unit: signs, minLength: 1, maxLength: 5 })
  .filter((text) => compared(text) !== "");
const countries = fc.constantFrom("US", "CA");
const areas: fc.Arbitrary<Area> = fc.oneof(
  fc.record({ country: countries, region: fc.constant(null), postalPrefix: fc.constant(null) }),
  fc.record({ country: countries, region: written, postalPrefix: fc.constant(null) }),
  fc.record({ country: countries, region: fc.constant(null), postalPrefix: written }),
);
const addresses = fc.record({
  country: countries,
  region: fc.option(written),
  postalCode: fc.option(fc.string({ unit: signs, maxLength: 7 })),
});

/** A text without case and separators. */
function compared(text: string): string {
  return text.toLowerCase().replaceAll(/[ -]/g, "");
}

type Address = Parameters<typeof foldAddress>[0];

/** The areas that have the address, of those that say the most of it: every beginning of its postal code is tried. */
function closestOf(all: readonly Area[], { country, region, postalCode }: Address): Area[] {
  const here = all.filter((area) => area.country === country);
  const code = compared(postalCode ?? "");
  for (let length = code.length; length > 0; length -= 1) {
    const found = here.filter(
      ({ postalPrefix }) =>
        postalPrefix !== null && compared(postalPrefix) === code.slice(0, length),
    );
    if (found.length > 0) return found;
  }
  const ofRegion = here.filter(
    (area) => area.region !== null && compared(area.region) === compared(region ?? ""),
  );
  if (ofRegion.length > 0) return ofRegion;
  return here.filter((area) => area.region === null && area.postalPrefix === null);
}

test("the longest postal prefix of an address wins, then its region, then its country", () => {
  fc.assert(
    fc.property(fc.array(areas, { maxLength: 12 }), addresses, (all, address) => {
      const at = foldAddress(address);
      const ranked = all.map((area) => [closenessOf(foldArea(area), at), area] as const);
      const best = Math.max(0, ...ranked.map(([closeness]) => closeness));

      const found = ranked.flatMap(([closeness, area]) => (closeness === best ? [area] : []));

      expect(found).toEqual(closestOf(all, address));
    }),
    { numRuns: 1000 },
  );
});
