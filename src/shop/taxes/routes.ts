// The routes of tax rates.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { storeCountryMissing } from "#shop/store/store.ts";

import { listTaxRates } from "./lookups.ts";
import { taxRateRows } from "./queries.ts";
import {
  adoptedWire,
  adoptionSchema,
  newTaxRateSchema,
  presetsAfter,
  presetWire,
  readTaxRateSearch,
  taxRateChangeSchema,
  taxRateFields,
  taxRateQuerySchema,
} from "./schema.ts";
import { taxRateNotFound, taxRateOverlaps } from "./tax-rate.ts";
import { adoptPreset, createTaxRate, updateTaxRate } from "./tax-rates.ts";

const tag = "Taxes";
const params = { id: pathId("taxRate", taxRateNotFound) };

export const taxRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/tax-rates",
    operationId: "listTaxRates",
    tag,
    summary: "List tax rates",
    description: "Includes rates that have ended or not begun, unless `active_at` is given.",
    scopes: ["taxes:read"],
    query: taxRateQuerySchema,
    response: taxRateFields.wire,
    handler: (db, { query, page }) => listTaxRates(db, readTaxRateSearch(query), page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/tax-rates",
    operationId: "createTaxRate",
    tag,
    summary: "Create a tax rate",
    description:
      "A rate never changes but for its end and `metadata`: a new percentage is a new rate. Rates of one place and class with different names are charged together, each on the same amount.",
    scopes: ["taxes:write"],
    body: newTaxRateSchema,
    response: taxRateFields.wire,
    status: 201,
    location: (rate) => `/v2/tax-rates/${rate.id}`,
    refusals: [storeCountryMissing, taxRateOverlaps],
    handler: (tx, { body }) => createTaxRate(tx, body),
  }),
  listRoute({
    method: "GET",
    path: "/v2/tax-rates/presets",
    operationId: "listTaxPresets",
    tag,
    summary: "List the preset tax rates by country",
    description: "What Duka knows of countries' rates. They hold only in a shop that adopts them.",
    scopes: ["taxes:read"],
    response: presetWire,
    cursorOf: ({ country }) => country,
    handler: async (_db, { page }) => presetsAfter(page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/tax-rates/presets",
    operationId: "createTaxRatesOfPreset",
    tag,
    summary: "Create the preset tax rates of a country",
    description:
      "Rates that the shop already has are kept. Nothing is created if one of them has another percentage.",
    scopes: ["taxes:write"],
    body: adoptionSchema,
    response: adoptedWire,
    refusals: [storeCountryMissing, taxRateOverlaps],
    handler: async (tx, { body }) => ({ rates: await adoptPreset(tx, body.country) }),
  }),
  readRoute({
    method: "GET",
    path: "/v2/tax-rates/{id}",
    operationId: "retrieveTaxRate",
    tag,
    summary: "Retrieve a tax rate",
    scopes: ["taxes:read"],
    params,
    response: taxRateFields.wire,
    refusals: [taxRateNotFound],
    handler: (db, { params: { id } }) => taxRateRows.get(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/tax-rates/{id}",
    operationId: "updateTaxRate",
    tag,
    summary: "Update the end and the metadata of a tax rate",
    description:
      "A rate that ends at its `valid_from` never holds: this withdraws a rate. Placed orders keep what they were charged.",
    scopes: ["taxes:write"],
    params,
    body: taxRateChangeSchema,
    response: taxRateFields.wire,
    refusals: [taxRateNotFound, staleVersion, taxRateOverlaps],
    handler: (tx, { params: { id }, body: given, ifMatch: expected }) =>
      updateTaxRate(tx, id, { given, expected }),
  }),
];
