// The routes of API keys. They need a key with `keys:write`, so a shop's first key comes from its first
// start, the command line or the dashboard.

import { mapPage } from "#kernel/page.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { keyNotFound, scopeNotHeld } from "./api-key.ts";
import { createKey } from "./create-key.ts";
import { listKeys } from "./list-keys.ts";
import { keyRows } from "./queries.ts";
import { revokeKey } from "./revoke-key.ts";
import { apiKeyWire, createdKeyWire, newKeySchema, readNewKey } from "./schema.ts";

const id = pathId("key", keyNotFound);

export const keyRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/keys",
    operationId: "listKeys",
    tag: "Keys",
    summary: "List API keys",
    description: "Includes revoked and expired keys.",
    scopes: ["keys:read"],
    response: apiKeyWire,
    handler: async (db, { page, caller: { mode } }) =>
      mapPage(await listKeys(db, page), (apiKey) => ({ ...apiKey, mode })),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/keys",
    operationId: "createKey",
    tag: "Keys",
    summary: "Create an API key",
    description:
      "The key belongs to the mode of the key that creates it. Its text is returned only in this response.",
    scopes: ["keys:write"],
    answersSecret: true,
    body: newKeySchema,
    response: createdKeyWire,
    status: 201,
    location: (created) => `/v2/keys/${created.id}`,
    refusals: [scopeNotHeld],
    handler: async (tx, { body, caller }) => {
      const { apiKey, key } = await createKey(tx, readNewKey(body, caller));
      return { ...apiKey, mode: caller.mode, key };
    },
  }),
  readRoute({
    method: "GET",
    path: "/v2/keys/{id}",
    operationId: "retrieveKey",
    tag: "Keys",
    summary: "Retrieve an API key",
    scopes: ["keys:read"],
    params: { id },
    response: apiKeyWire,
    handler: async (db, { params, caller: { mode } }) => ({
      ...(await keyRows.get(db, params.id)),
      mode,
    }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/keys/{id}",
    operationId: "revokeKey",
    tag: "Keys",
    summary: "Revoke an API key",
    description: "The key's next request is refused. The key stays in the list with `revoked_at`.",
    scopes: ["keys:write"],
    params: { id },
    response: null,
    status: 204,
    refusals: [keyNotFound],
    handler: async (tx, { params }) => {
      await revokeKey(tx, params.id);
      return undefined;
    },
  }),
];
