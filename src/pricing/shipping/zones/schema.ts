// Shipping zones on the wire.

import Type, { type Static } from "typebox";

import type { Change } from "#kernel/change.ts";
import { at, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  idOf,
  line,
  nameGiven,
  nullable,
  object,
  optional,
  VISIBLE,
  whole,
} from "#platform/http/contract/words.ts";

import type { ZonePlace } from "../shipping-values.ts";
import type { ShippingZone, ShippingZoneFields } from "./zone.ts";

const NAME_LENGTH_MAX = 200;
/** There are about 250 countries. */
const PLACES_MAX = 300;

const country = Type.String({
  pattern: "^(\\*|[A-Z]{2})$",
  maxLength: 40,
  description: "ISO 3166-1 alpha-2 code, such as GH, or * for everywhere else.",
});
const region = {
  description: "A region of the country. Case, accents and punctuation do not matter.",
};
const postalPrefix = {
  description: "The beginning of postal codes. Case, spaces and punctuation do not matter.",
};

const placeShape = shape<ZonePlace>()({
  country,
  region: nullable(line(100, region)),
  postal_prefix: nullable(line(20, postalPrefix)),
});

export const shippingZoneWire = wire<ShippingZone>()("ShippingZone", {
  id: idOf("shippingZone"),
  name: line(NAME_LENGTH_MAX),
  places: list(placeShape),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

const name = nameGiven(NAME_LENGTH_MAX, VISIBLE);
const places = Type.Array(
  object({
    country,
    region: optional(nullable(nameGiven(100, region))),
    postal_prefix: optional(nullable(nameGiven(20, postalPrefix))),
  }),
  {
    minItems: 1,
    maxItems: PLACES_MAX,
    description:
      "An address is in the zone of its closest place: a postal prefix beats a region, a region its country, and a country `*`.",
  },
);

export const newShippingZoneSchema = object({ name, places });

export const shippingZoneChangeSchema = object({ name: optional(name), places: optional(places) });

type PlacesGiven = Static<typeof newShippingZoneSchema>["places"];

/** Reads a new zone from a request body. */
export function readNewZone({
  name: given,
  places: all,
}: Static<typeof newShippingZoneSchema>): ShippingZoneFields {
  return { name: given, places: readPlaces(all) };
}

/** Reads a change of a zone from a request body. */
export function readZoneChange(
  body: Static<typeof shippingZoneChangeSchema>,
): Change<ShippingZoneFields> {
  return { name: body.name, places: body.places && readPlaces(body.places) };
}

function readPlaces(given: PlacesGiven): ZonePlace[] {
  return given.map((place) => ({
    country: place.country,
    region: place.region ?? null,
    postalPrefix: place.postal_prefix ?? null,
  }));
}
