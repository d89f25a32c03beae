// The routes of pickup locations.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { getPickupLocation, listPickupLocations } from "../lookups.ts";
import { createPickupLocation } from "./create-pickup-location.ts";
import { deletePickupLocation } from "./delete-pickup-location.ts";
import { pickupLocationLimit, pickupLocationNotFound } from "./pickup-location.ts";
import {
  newPickupLocationSchema,
  pickupLocationChangeSchema,
  pickupLocationWire,
  readLocationChange,
  readNewLocation,
} from "./schema.ts";
import { updatePickupLocation } from "./update-pickup-location.ts";

const tag = "Shipping";
const params = { id: pathId("pickupLocation", pickupLocationNotFound) };

export const pickupLocationRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/pickup-locations",
    operationId: "listPickupLocations",
    tag,
    summary: "List pickup locations, newest first",
    scopes: ["shipping:read"],
    response: pickupLocationWire,
    handler: (db, { page }) => listPickupLocations(db, page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/pickup-locations",
    operationId: "createPickupLocation",
    tag,
    summary: "Create a pickup location",
    description:
      "Its address needs a country: what is fetched is taxed there. Fetching is free unless `amounts` says otherwise.",
    scopes: ["shipping:write"],
    body: newPickupLocationSchema,
    response: pickupLocationWire,
    status: 201,
    location: (location) => `/v2/pickup-locations/${location.id}`,
    refusals: [pickupLocationLimit],
    handler: (tx, { body }) => createPickupLocation(tx, readNewLocation(body)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/pickup-locations/{id}",
    operationId: "retrievePickupLocation",
    tag,
    summary: "Retrieve a pickup location",
    scopes: ["shipping:read"],
    params,
    response: pickupLocationWire,
    handler: (db, { params: { id } }) => getPickupLocation(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/pickup-locations/{id}",
    operationId: "updatePickupLocation",
    tag,
    summary: "Update a pickup location",
    description:
      "Only the fields in the request change; `address` and `amounts` are replaced as a whole.",
    scopes: ["shipping:write"],
    params,
    body: pickupLocationChangeSchema,
    response: pickupLocationWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updatePickupLocation(tx, id, { change: readLocationChange(body), expected }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/pickup-locations/{id}",
    operationId: "deletePickupLocation",
    tag,
    summary: "Delete a pickup location",
    description: "Orders keep the label and the amount of their shipping.",
    scopes: ["shipping:write"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deletePickupLocation(tx, id, ifMatch),
  }),
];
