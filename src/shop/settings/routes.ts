// The routes of the shop's settings.

import { staleVersion } from "#kernel/change.ts";
import { readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { passkeyMissing } from "#shop/people/passkeys/passkey.ts";
import { getStore } from "#shop/store/lookups.ts";
import { lockStore, withAccounts } from "#shop/store/queries.ts";
import { storeCountryMissing } from "#shop/store/store.ts";

import { readStoreChange, storeChangeSchema, storeWire } from "./schema.ts";
import { updateStore } from "./update-store.ts";

export const storeRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/store",
    operationId: "retrieveStore",
    tag: "Store",
    summary: "Retrieve the shop's settings",
    scopes: ["store:read"],
    response: storeWire,
    handler: getStore,
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/store",
    operationId: "updateStore",
    tag: "Store",
    summary: "Update the shop's settings",
    audit: {
      before: async (tx) => storeWire.present(await withAccounts(tx, await lockStore(tx))),
      keeps: (shown) => shown,
    },
    scopes: ["store:write"],
    body: storeChangeSchema,
    response: storeWire,
    refusals: [staleVersion, storeCountryMissing, passkeyMissing],
    handler: (tx, { body, ifMatch }) => updateStore(tx, readStoreChange(body), ifMatch),
  }),
];
