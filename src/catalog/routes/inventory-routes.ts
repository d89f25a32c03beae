// The routes of the inventory.

import { getLevel, listInventory, listMovements } from "#catalog/inventory/lookups.ts";
import type { InventoryLevel } from "#catalog/inventory/queries.ts";
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
} from "#catalog/inventory/schema.ts";
import { setStock, setStockBatch } from "#catalog/inventory/set-stock.ts";
import { nameVariants } from "#catalog/products/lookups.ts";
import { inventoryNotFound, staleStock, stockBelowZero } from "#catalog/rows/inventory.ts";
import { staleVersion } from "#kernel/change.ts";
import type { Reader } from "#platform/database/database.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { nameActors } from "#shop/keys/lookups.ts";

const variantId = pathId("variant", inventoryNotFound);

async function named(db: Reader, level: InventoryLevel) {
  const [found] = await nameVariants(db, [level]);
  return found ?? { ...level, name: null };
}

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
    handler: async (db, { query, page }) => {
      const listed = await listInventory(db, readLevelFilters(query), page);
      return { ...listed, rows: await nameVariants(db, listed.rows) };
    },
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
    handler: async (db, { params }) => named(db, await getLevel(db, params.variant_id)),
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
    handler: async (tx, { params, body, ifMatch: expected }) => {
      const change = { change: readStockChange(body), expected };
      return named(tx, await setStock(tx, params.variant_id, change));
    },
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
    handler: async (tx, { body }) => {
      const results = await setStockBatch(tx, readStockRows(body));
      const changed = results.flatMap((one) => ("level" in one ? [one.level] : []));
      const names = new Map(
        (await nameVariants(tx, changed)).map(({ variantId: id, name }) => [id, name]),
      );
      return {
        results: results.map((one) =>
          "level" in one
            ? { ...one, level: { ...one.level, name: names.get(one.variantId) ?? null } }
            : one,
        ),
      };
    },
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
    handler: async (db, { params, page }) => {
      const listed = await listMovements(db, params.variant_id, page);
      return { ...listed, rows: await nameActors(db, listed.rows) };
    },
  }),
];
