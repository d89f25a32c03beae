// API keys on the wire. A key's text is in the response that created it and in no other; its hash is in none.

import Type, { type Static } from "typebox";

import { toIso, toIsoOrNull } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  choice,
  component,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import { NAME_LENGTH_MAX, RATE_PER_MINUTE_MAX } from "./api-key.ts";
import type { NewKey } from "./create-key.ts";
import type { ApiKey } from "./queries.ts";
import { defaultGrants, grants } from "./scopes.ts";

const fields = {
  id: idOf("key"),
  mode: choice(["test", "live"]),
  name: line(NAME_LENGTH_MAX),
  display: Type.String({ description: "The prefix and the last four characters." }),
  scopes: Type.Array(Type.String(), { description: "Scopes and presets, as granted." }),
  rate_per_minute: nullable(whole(1, RATE_PER_MINUTE_MAX)),
  expires_at: nullable(instant),
  revoked_at: nullable(instant),
  last_used_at: nullable(instant),
  created_at: instant,
};

export const apiKeySchema = component("ApiKey", fields);

export const createdKeySchema = component("CreatedApiKey", {
  ...fields,
  key: Type.String({ description: "The key itself. It is not stored and cannot be shown again." }),
});

export const newKeySchema = object({
  name: line(NAME_LENGTH_MAX),
  scopes: optional(
    Type.Array(choice(grants), {
      minItems: 1,
      maxItems: grants.length,
      default: defaultGrants,
      description: "Scopes and presets. A key can only grant scopes that it has.",
    }),
  ),
  expires_at: optional(nullable(instant)),
});

/** A key as it is answered. */
export function presentKey(apiKey: ApiKey, mode: Mode): Static<typeof apiKeySchema> {
  return {
    id: apiKey.id,
    mode,
    name: apiKey.name,
    display: apiKey.display,
    scopes: [...apiKey.scopes],
    rate_per_minute: apiKey.ratePerMinute,
    expires_at: toIsoOrNull(apiKey.expiresAt),
    revoked_at: toIsoOrNull(apiKey.revokedAt),
    last_used_at: toIsoOrNull(apiKey.lastUsedAt),
    created_at: toIso(apiKey.createdAt),
  };
}

/** A key that was just made, with its text. */
export function presentCreatedKey(
  made: { readonly apiKey: ApiKey; readonly key: string },
  mode: Mode,
): Static<typeof createdKeySchema> {
  return { ...presentKey(made.apiKey, mode), key: made.key };
}

/** Reads a new key from a request body. The caller's scopes bound it. */
export function readNewKey(body: Static<typeof newKeySchema>, caller: Caller): NewKey {
  return {
    mode: caller.mode,
    name: body.name,
    scopes: body.scopes ?? defaultGrants,
    // Only the operator sets the limit of a key.
    ratePerMinute: null,
    expiresAt: typeof body.expires_at === "string" ? Date.parse(body.expires_at) : null,
    heldScopes: caller.scopes,
  };
}
