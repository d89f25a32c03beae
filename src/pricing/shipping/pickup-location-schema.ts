// Pickup locations: where customers fetch what they bought.

import Type from "typebox";

import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { field } from "#platform/http/contract/resource.ts";
import { settingsResource } from "#platform/http/contract/settings-resource.ts";
import { at } from "#platform/http/contract/wire.ts";
import { idOf, inParagraphs, line, nullable, whole } from "#platform/http/contract/words.ts";
import { lockPriceTerms } from "#shop/store/price-terms.ts";

import { readAmounts } from "./amounts.ts";
import { amountsGiven, amountsWire } from "./rate-schema.ts";
import { pickupLocations as table } from "./tables.ts";

const NAME_LENGTH_MAX = 200;
const INSTRUCTIONS_LENGTH_MAX = 1_000;
/** Pickup locations of a shop: a customer chooses among the active ones. */
const PICKUP_LOCATIONS_MAX = 50;

const instructions = nullable(
  line(INSTRUCTIONS_LENGTH_MAX, {
    ...inParagraphs,
    description: "What customers should know, such as opening hours.",
  }),
);
const active = Type.Boolean({ description: "Whether the location is offered." });

export const pickupLocations = settingsResource(
  table,
  {
    id: idOf("pickupLocation"),
    name: field(line(NAME_LENGTH_MAX), {
      given: line(NAME_LENGTH_MAX, { description: "As customers read it." }),
    }),
    address: field(addressWire, { given: addressGivenSchema, read: readAddress }),
    instructions: field(instructions, { given: instructions, initially: null }),
    amounts: field(amountsWire, {
      given: amountsGiven({
        description:
          "What fetching costs. Empty: it is free. Otherwise the location is offered in these currencies only.",
      }),
      read: readAmounts,
      initially: [],
    }),
    active: field(active, { given: active, initially: true }),
    version: whole(1),
    created_at: at,
    updated_at: at,
  },
  {
    kind: "pickupLocation",
    notFound: defineRefusal(
      "pickup_location_not_found",
      "not_found",
      "There is no such pickup location.",
    ),
    path: "/v2/pickup-locations",
    tag: "Shipping",
    scope: "shipping",
    says: {
      create:
        "Its address needs a country: what is fetched is taxed there. Fetching is free unless `amounts` says otherwise.",
      update:
        "Only the fields in the request change; `address` and `amounts` are replaced as a whole.",
      remove: "Orders keep the label and the amount of their shipping.",
    },
    limit: {
      most: PICKUP_LOCATIONS_MAX,
      refusal: defineRefusal("pickup_location_limit", "conflict", {
        title: `A shop has at most ${PICKUP_LOCATIONS_MAX} pickup locations.`,
        cause: "The shop already has as many pickup locations as a shop can have.",
        remedy: "Delete locations that are no longer needed.",
      }),
    },
    lock: lockPriceTerms,
    check: (_, { address: { country } }, faults) => {
      // Goods that are fetched are taxed where they are fetched.
      if (country !== null) return;
      const detail = "The address of a pickup location has a country.";
      faults.add("/address/country", "required", detail);
    },
  },
);
