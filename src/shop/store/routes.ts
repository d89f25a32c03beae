// The routes of the shop's settings.

import { staleVersion } from "#kernel/version.ts";
import { readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { getStore } from "./get-store.ts";
import { presentStore, readStoreChange, storeChangeSchema, storeSchema } from "./schema.ts";
import { updateStore } from "./update-store.ts";

export const storeRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/store",
    operationId: "retrieveStore",
    tag: "Store",
    summary: "Retrieve the shop's settings",
    scopes: ["store:read"],
    response: storeSchema,
    handler: async (db) => presentStore(await getStore(db)),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/store",
    operationId: "updateStore",
    tag: "Store",
    summary: "Update the shop's settings",
    scopes: ["store:write"],
    body: storeChangeSchema,
    response: storeSchema,
    refusals: [staleVersion],
    handler: async (tx, { body, ifMatch }) =>
      presentStore(await updateStore(tx, readStoreChange(body), ifMatch)),
  }),
];
