// The routes of the inventory.

import { staleVersion } from "#kernel/change.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { inventoryNotFound, staleStock, stockBelowZero } from "./inventory.ts";
import { getLevel, listInventory, listMovements } from "./lookups.ts";
import {
  levelQuerySchema,
  levelWire,
  movementWire,
  readLevelFilters,
  readStockChange,
  readStockRows,
  stockBatchResultShape,
  stockBatchSchema,
  stockChangeSchema,
} from "./schema.ts";
import { setStockBatch } from "./set-stock-batch.ts";
import { setStock } from "./set-stock.ts";

const variantId = pathId("variant", inventoryNotFound);

export const inventoryRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/inventory",
    operationId: "listInventory",
    tag: "Inventory",
    summary: "List stock levels",
    scopes: ["inventory:read"],
    query: levelQuerySchema,
    response: levelWire,
    cursorOf: (level) => level.variantId,
    handler: (db, { query, page }) => listInventory(db, readLevelFilters(query), page),
  }),
  readRoute({
    method: "GET",
    path: "/v2/inventory/{variant_id}",
    operationId: "retrieveInventory",
    tag: "Inventory",
    summary: "Retrieve the stock level of a variant",
    scopes: ["inventory:read"],
    params: { variant_id: variantId },
    response: levelWire,
    refusals: [inventoryNotFound],
    handler: (db, { params }) => getLevel(db, params.variant_id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/inventory/{variant_id}",
    operationId: "updateInventory",
    tag: "Inventory",
    summary: "Update the stock of a variant: set it or adjust it",
    scopes: ["inventory:write"],
    params: { variant_id: variantId },
    body: stockChangeSchema,
    response: levelWire,
    refusals: [inventoryNotFound, staleVersion, staleStock, stockBelowZero],
    handler: (tx, { params, body, ifMatch: expected }) =>
      setStock(tx, params.variant_id, { change: readStockChange(body), expected }),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/inventory/batch",
    operationId: "updateInventoryBatch",
    tag: "Inventory",
    summary: "Update the stock of many variants",
    description: "Each row succeeds or fails independently of the others.",
    scopes: ["inventory:write"],
    body: stockBatchSchema,
    response: stockBatchResultShape,
    handler: async (tx, { body }) => ({
      results: await setStockBatch(tx, readStockRows(body)),
    }),
  }),
  listRoute({
    method: "GET",
    path: "/v2/inventory/{variant_id}/movements",
    operationId: "listInventoryMovements",
    tag: "Inventory",
    summary: "List the stock movements of a variant",
    scopes: ["inventory:read"],
    params: { variant_id: variantId },
    response: movementWire,
    refusals: [inventoryNotFound],
    handler: (db, { params, page }) => listMovements(db, params.variant_id, page),
  }),
];
