// The routes of shipping rates.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { getShippingRate, listShippingRates } from "../lookups.ts";
import { createShippingRate } from "./create-shipping-rate.ts";
import { deleteShippingRate } from "./delete-shipping-rate.ts";
import { shippingRateLimit, shippingRateNotFound } from "./rate.ts";
import {
  newShippingRateSchema,
  readNewRate,
  readRateChange,
  readRateQuery,
  shippingRateChangeSchema,
  shippingRateQuerySchema,
  shippingRateWire,
} from "./schema.ts";
import { updateShippingRate } from "./update-shipping-rate.ts";

const tag = "Shipping";
const params = { id: pathId("shippingRate", shippingRateNotFound) };

export const shippingRateRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/shipping-rates",
    operationId: "listShippingRates",
    tag,
    summary: "List shipping rates, newest first",
    scopes: ["shipping:read"],
    query: shippingRateQuerySchema,
    response: shippingRateWire,
    handler: (db, { query, page }) => listShippingRates(db, readRateQuery(query), page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/shipping-rates",
    operationId: "createShippingRate",
    tag,
    summary: "Create a shipping rate",
    description:
      "A rate is offered to the addresses of its zone, in the currencies of its amounts, where a tier has the price or the weight of the goods.",
    scopes: ["shipping:write"],
    body: newShippingRateSchema,
    response: shippingRateWire,
    status: 201,
    location: (rate) => `/v2/shipping-rates/${rate.id}`,
    refusals: [shippingRateLimit],
    handler: (tx, { body }) => createShippingRate(tx, readNewRate(body)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/shipping-rates/{id}",
    operationId: "retrieveShippingRate",
    tag,
    summary: "Retrieve a shipping rate",
    scopes: ["shipping:read"],
    params,
    response: shippingRateWire,
    handler: (db, { params: { id } }) => getShippingRate(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/shipping-rates/{id}",
    operationId: "updateShippingRate",
    tag,
    summary: "Update a shipping rate",
    description:
      "Only the fields in the request change; lists are replaced as a whole. Orders keep what they were charged.",
    scopes: ["shipping:write"],
    params,
    body: shippingRateChangeSchema,
    response: shippingRateWire,
    refusals: [staleVersion, shippingRateLimit],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateShippingRate(tx, id, { change: readRateChange(body), expected }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/shipping-rates/{id}",
    operationId: "deleteShippingRate",
    tag,
    summary: "Delete a shipping rate",
    description: "Orders keep the label and the amount of their shipping.",
    scopes: ["shipping:write"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deleteShippingRate(tx, id, ifMatch),
  }),
];
