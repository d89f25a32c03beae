// Shipping zones: the parts of the world that a shop ships to.

import Type, { type Static } from "typebox";

import type { Area } from "#kernel/area.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { field } from "#platform/http/contract/resource.ts";
import { settingsResource } from "#platform/http/contract/settings-resource.ts";
import { at, list, shape } from "#platform/http/contract/wire.ts";
import {
  component,
  countryCode,
  idOf,
  line,
  matching,
  nullable,
  optional,
  postalPrefix,
  whole,
} from "#platform/http/contract/words.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { findPlaces } from "./queries.ts";
import { shippingZones as table } from "./tables.ts";
import { checkPlaces } from "./zone.ts";

const NAME_LENGTH_MAX = 200;
/** Zones of a shop. Each search for the options of an address reads the places of all. */
export const SHIPPING_ZONES_MAX = 50;
/** There are about 250 countries. */
const PLACES_MAX = 300;

const country = Type.String({
  ...countryCode,
  ...matching(
    "^(\\*|[A-Z]{2})$",
    "This is neither the code of a country, which has two letters, such as GH, nor *.",
  ),
  description: "ISO 3166-1 alpha-2 code, such as GH, or * for everywhere else.",
});
const region = {
  description: "A region of the country. Case, accents and punctuation do not matter.",
};

const placeShape = shape<Area>()(
  {
    country,
    region: nullable(line(100, region)),
    postal_prefix: nullable(postalPrefix),
  },
  { name: "ZonePlace" },
);

const placesGiven = Type.Array(
  component("ZonePlaceInput", {
    country,
    region: optional(nullable(line(100, region))),
    postal_prefix: optional(nullable(postalPrefix)),
  }),
  {
    minItems: 1,
    maxItems: PLACES_MAX,
    description:
      "An address is in the zone of its closest place: a postal prefix beats a region, a region its country, and a country `*`.",
  },
);

export const shippingZones = settingsResource(
  table,
  {
    id: idOf("shippingZone"),
    name: field(line(NAME_LENGTH_MAX), { given: line(NAME_LENGTH_MAX) }),
    places: field(list(placeShape), { given: placesGiven, read: readPlaces }),
    version: whole(1),
    created_at: at,
    updated_at: at,
  },
  {
    kind: "shippingZone",
    notFound: defineRefusal(
      "shipping_zone_not_found",
      "not_found",
      "There is no such shipping zone.",
    ),
    path: "/v2/shipping-zones",
    tag: "Shipping",
    scope: "shipping",
    says: {
      create: "No two zones have the same place. What a zone offers are its shipping rates.",
      update: "Only the fields in the request change; `places` are replaced as a whole.",
      remove: "Orders keep the label and the amount of their shipping.",
    },
    limit: {
      most: SHIPPING_ZONES_MAX,
      refusal: defineRefusal("shipping_zone_limit", "conflict", {
        title: `A shop has at most ${SHIPPING_ZONES_MAX} shipping zones.`,
        cause: "The shop already has as many shipping zones as a shop can have.",
        remedy: "Add the places to a zone that has the same rates, or delete a zone.",
      }),
    },
    // Two zones that are made at once could have the same place.
    lock: lockPriceTerms,
    check: async (tx, { id, places }, faults) => {
      const others = (await findPlaces(tx)).filter((zone) => zone.id !== id);
      checkPlaces(places, others, faults);
    },
    // A rate is nothing without the places that it is for.
    deletes: "with its rates",
  },
);

function readPlaces(given: Static<typeof placesGiven>): Area[] {
  return given.map((place) => ({
    country: place.country,
    region: place.region ?? null,
    postalPrefix: place.postal_prefix ?? null,
  }));
}
