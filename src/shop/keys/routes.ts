// The routes of API keys. They need a key with `keys:write`, so a shop's first key comes from its first
// start, the command line or the dashboard.

import { mapPage } from "#kernel/page.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { keyEnded, keyNotFound, scopeNotHeld } from "./api-key.ts";
import { createKey, rotateKey } from "./create-key.ts";
import { listKeys } from "./lookups.ts";
import { keyRows } from "./queries.ts";
import {
  keyNameSchema,
  keyRotationSchema,
  newKeySchema,
  readKeyRotation,
  readNewKey,
} from "./request-schema.ts";
import { renameKey, revokeKey } from "./revoke-key.ts";
import { apiKeyWire, createdKeyWire } from "./schema.ts";
import type { Maker } from "./scopes.ts";

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
      "The key belongs to the mode of the key that creates it, and may do no more, no more often and no longer. Its text is returned only in this response.",
    scopes: ["keys:write"],
    answersSecret: true,
    body: newKeySchema,
    response: createdKeyWire,
    status: 201,
    location: (created) => `/v2/keys/${created.id}`,
    refusals: [scopeNotHeld],
    handler: async (tx, { body, caller, requestsPerMinute }) => {
      const terms = readNewKey(body, makerOf(caller, requestsPerMinute), caller.mode);
      const { apiKey, key } = await createKey(tx, terms);
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
    method: "PUT",
    path: "/v2/keys/{id}",
    operationId: "updateKey",
    tag: "Keys",
    summary: "Update the name of an API key",
    description:
      "What a key may do never changes: rotate it, or create another. A key that has scopes which the calling key does not have is refused.",
    audit: {
      before: async (tx, params) => ({ name: (await keyRows.lock(tx, params.id)).name }),
      keeps: (shown) => shown,
    },
    scopes: ["keys:write"],
    params: { id },
    body: keyNameSchema,
    response: apiKeyWire,
    refusals: [scopeNotHeld],
    handler: async (tx, { params, body: { name }, caller: { mode, scopes: heldScopes } }) => ({
      ...(await renameKey(tx, params.id, { name, heldScopes })),
      mode,
    }),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/keys/{id}/rotate",
    operationId: "rotateKey",
    tag: "Keys",
    summary: "Rotate an API key",
    description:
      "Creates a key with the same name, scopes and limits, which continues the idempotency keys of the previous one. The previous key stays valid until the overlap ends. Only this response contains `key`.",
    audit: { subject: async (_, params) => params.id },
    scopes: ["keys:write"],
    answersSecret: true,
    params: { id },
    body: keyRotationSchema,
    response: createdKeyWire,
    status: 201,
    location: (created) => `/v2/keys/${created.id}`,
    refusals: [scopeNotHeld, keyEnded],
    handler: async (tx, { params, body, caller, requestsPerMinute }) => {
      const terms = readKeyRotation(body, makerOf(caller, requestsPerMinute), caller.mode);
      const { apiKey, key } = await rotateKey(tx, params.id, terms);
      return { ...apiKey, mode: caller.mode, key };
    },
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/keys/{id}",
    operationId: "revokeKey",
    tag: "Keys",
    summary: "Revoke an API key",
    description:
      "The key's next request is refused. The key stays in the list with `revoked_at`. A key that has scopes which the calling key does not have cannot be revoked by it.",
    scopes: ["keys:write"],
    params: { id },
    response: null,
    status: 204,
    refusals: [keyNotFound, scopeNotHeld],
    handler: async (tx, { params, caller: { scopes: heldScopes } }) => {
      await revokeKey(tx, params.id, { heldScopes });
      return undefined;
    },
  }),
];

/** The bounds of a key that the caller makes. A person's own window is for pages: it bounds no program. */
function makerOf(caller: Caller, requestsPerMinute: number): Maker {
  const { actor, ratePerMinute } = caller;
  return {
    ...caller,
    ratePerMinute: actor.type === "person" ? null : ratePerMinute,
    requestsPerMinute,
  };
}
