// The routes of shipping zones.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { getShippingZone, listShippingZones } from "../lookups.ts";
import { createShippingZone } from "./create-shipping-zone.ts";
import { deleteShippingZone } from "./delete-shipping-zone.ts";
import {
  newShippingZoneSchema,
  readNewZone,
  readZoneChange,
  shippingZoneChangeSchema,
  shippingZoneWire,
} from "./schema.ts";
import { updateShippingZone } from "./update-shipping-zone.ts";
import { shippingZoneLimit, shippingZoneNotFound } from "./zone.ts";

const tag = "Shipping";
const params = { id: pathId("shippingZone", shippingZoneNotFound) };

export const shippingZoneRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/shipping-zones",
    operationId: "listShippingZones",
    tag,
    summary: "List shipping zones, newest first",
    scopes: ["shipping:read"],
    response: shippingZoneWire,
    handler: (db, { page }) => listShippingZones(db, page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/shipping-zones",
    operationId: "createShippingZone",
    tag,
    summary: "Create a shipping zone",
    description: "No two zones have the same place. What a zone offers are its shipping rates.",
    scopes: ["shipping:write"],
    body: newShippingZoneSchema,
    response: shippingZoneWire,
    status: 201,
    location: (zone) => `/v2/shipping-zones/${zone.id}`,
    refusals: [shippingZoneLimit],
    handler: (tx, { body }) => createShippingZone(tx, readNewZone(body)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/shipping-zones/{id}",
    operationId: "retrieveShippingZone",
    tag,
    summary: "Retrieve a shipping zone",
    scopes: ["shipping:read"],
    params,
    response: shippingZoneWire,
    handler: (db, { params: { id } }) => getShippingZone(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/shipping-zones/{id}",
    operationId: "updateShippingZone",
    tag,
    summary: "Update a shipping zone",
    description: "Only the fields in the request change; `places` are replaced as a whole.",
    scopes: ["shipping:write"],
    params,
    body: shippingZoneChangeSchema,
    response: shippingZoneWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateShippingZone(tx, id, { change: readZoneChange(body), expected }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/shipping-zones/{id}",
    operationId: "deleteShippingZone",
    tag,
    summary: "Delete a shipping zone with its rates",
    description: "Orders keep the label and the amount of their shipping.",
    scopes: ["shipping:write"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deleteShippingZone(tx, id, ifMatch),
  }),
];
