// Pickup locations on the wire.

import Type, { type Static } from "typebox";

import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import { at, wire } from "#platform/http/contract/wire.ts";
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

import { amountsGiven, amountsWire } from "../amounts-schema.ts";
import type { NewPickupLocation } from "./create-pickup-location.ts";
import type { PickupLocation, PickupLocationInput } from "./pickup-location.ts";

const NAME_LENGTH_MAX = 200;
const INSTRUCTIONS_LENGTH_MAX = 1_000;

const instructions = nullable(
  line(INSTRUCTIONS_LENGTH_MAX, {
    description: "What customers should know, such as opening hours.",
  }),
);
const active = Type.Boolean({ description: "Whether the location is offered." });

export const pickupLocationWire = wire<PickupLocation>()("PickupLocation", {
  id: idOf("pickupLocation"),
  name: line(NAME_LENGTH_MAX),
  address: addressWire,
  instructions,
  amounts: amountsWire,
  active,
  version: whole(1),
  created_at: at,
  updated_at: at,
});

const name = nameGiven(NAME_LENGTH_MAX, { ...VISIBLE, description: "As customers read it." });
const more = {
  instructions: optional(instructions),
  amounts: optional(
    amountsGiven({
      description:
        "What fetching costs. Empty: it is free. Otherwise the location is offered in these currencies only.",
    }),
  ),
  active: optional(active),
};

export const newPickupLocationSchema = object({ name, address: addressGivenSchema, ...more });

export const pickupLocationChangeSchema = object({
  name: optional(name),
  address: optional(addressGivenSchema),
  ...more,
});

/** Reads a new location from a request body. */
export function readNewLocation(body: Static<typeof newPickupLocationSchema>): NewPickupLocation {
  return { ...readLocationChange(body), name: body.name, address: readAddress(body.address) };
}

/** Reads a change of a location from a request body. */
export function readLocationChange(
  body: Static<typeof pickupLocationChangeSchema>,
): PickupLocationInput {
  return {
    name: body.name,
    address: body.address && readAddress(body.address),
    instructions: body.instructions,
    amounts: body.amounts,
    active: body.active,
  };
}
