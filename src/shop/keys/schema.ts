// API keys on the wire. A key's text is in the response that created it and in no other; its hash is in none.

import Type, { type Static } from "typebox";

import type { Mode } from "#platform/database/shop.ts";
import { actorShape } from "#platform/http/contract/caller.ts";
import { at, from, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import { keyKinds, NAME_LENGTH_MAX, RATE_PER_MINUTE_MAX } from "./api-key.ts";
import type { Maker } from "./bounds.ts";
import type { NewKey } from "./create-key.ts";
import type { ApiKey } from "./queries.ts";
import { defaultGrants, grants, kindOfKey } from "./scopes.ts";

/** A key in the mode that it opens. */
interface ApiKeyView extends ApiKey {
  readonly mode: Mode;
}

const kind = choice(keyKinds, {
  description:
    "A publishable key has scopes of the preset `storefront` only and may be in a web page. Its text begins with `test_pk_` or `live_pk_`.",
});

const fields = {
  id: idOf("key"),
  mode: choice(["test", "live"]),
  name: line(NAME_LENGTH_MAX),
  kind: from(({ scopes }: ApiKeyView) => kindOfKey(scopes), kind),
  display: Type.String({ description: "The prefix and the last four characters." }),
  scopes: Type.Array(Type.String(), { description: "Scopes and presets, as granted." }),
  rate_per_minute: nullable(whole(1, RATE_PER_MINUTE_MAX)),
  created_by: from(({ createdBy }: ApiKeyView) => createdBy, orNull(actorShape)),
  expires_at: orNull(at),
  revoked_at: orNull(at),
  last_used_at: orNull(at),
  created_at: at,
};

export const apiKeyWire = wire<ApiKeyView>()("ApiKey", fields);

export const createdKeyWire = wire<ApiKeyView & { readonly key: string }>()("CreatedApiKey", {
  ...fields,
  key: Type.String({ description: "The key itself. It is not stored and cannot be shown again." }),
});

export const newKeySchema = object({
  name: line(NAME_LENGTH_MAX),
  kind: optional(kind),
  scopes: optional(
    Type.Array(choice(grants), {
      minItems: 1,
      maxItems: grants.length,
      default: defaultGrants.secret,
      description:
        "Scopes and presets. A key can only grant scopes that it has. Those of a publishable key are `storefront` by default.",
    }),
  ),
  rate_per_minute: optional(
    nullable(
      whole(1, RATE_PER_MINUTE_MAX, {
        description: "At most, and by default, that of the calling key.",
      }),
    ),
  ),
  expires_at: optional(
    nullable({
      ...instant,
      description: "At the latest, and by default, when the calling key expires.",
    }),
  ),
});

export const keyNameSchema = object({ name: line(NAME_LENGTH_MAX) });

/** Reads a new key from a request body. The caller bounds it. */
export function readNewKey(body: Static<typeof newKeySchema>, maker: Maker, mode: Mode): NewKey {
  return {
    mode,
    name: body.name,
    kind: body.kind ?? null,
    scopes: body.scopes ?? null,
    ratePerMinute: body.rate_per_minute ?? null,
    expiresAt: typeof body.expires_at === "string" ? Date.parse(body.expires_at) : null,
    maker,
    replaces: null,
  };
}
