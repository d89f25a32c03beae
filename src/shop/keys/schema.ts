// API keys on the wire. The text of a secret key is in the response that created it and in no other; that of a
// publishable key is in every one, since it is public. A hash is in none.

import Type from "typebox";

import type { Mode } from "#platform/database/shop.ts";
import { actorShape } from "#platform/http/contract/caller.ts";
import { at, from, orNull, wire } from "#platform/http/contract/wire.ts";
import { idOf, line, namedChoice, nullable, whole } from "#platform/http/contract/words.ts";

import { type KeyKind, NAME_LENGTH_MAX, RATE_PER_MINUTE_MAX } from "./api-key.ts";
import { kindOfKey } from "./scopes.ts";
import type { ApiKey } from "./tables.ts";

/** A key in the mode that it opens. */
interface ApiKeyView extends ApiKey {
  readonly mode: Mode;
}

export const modeChoice = namedChoice<Mode>(
  { name: "Mode", about: "The shop of which it is; the two share no data." },
  {
    test: "The shop to try things in. No money moves.",
    live: "The shop that sells.",
  },
);

export const kind = namedChoice<KeyKind>(
  { name: "KeyKind", about: "Where a key may be." },
  {
    secret: "On a server alone. Its text begins with `test_sk_` or `live_sk_`.",
    publishable:
      "In a web page, too: it has scopes of the preset `storefront` only. Its text begins with `test_pk_` or `live_pk_`.",
  },
);

/** The fields of a key that are shown, beside its id. */
export const keyFields = {
  name: line(NAME_LENGTH_MAX),
  kind: from(({ scopes }: ApiKey) => kindOfKey(scopes), kind),
  display: Type.String({ description: "The prefix and the last four characters." }),
  scopes: Type.Array(Type.String(), { description: "Scopes and presets, as granted." }),
  rate_per_minute: nullable(whole(1, RATE_PER_MINUTE_MAX)),
  created_by: from(({ createdBy }: ApiKey) => createdBy, orNull(actorShape)),
  expires_at: orNull(at),
  revoked_at: orNull(at),
  last_used_at: orNull(at),
  created_at: at,
};

const fields = { id: idOf("key"), mode: modeChoice, ...keyFields };

export const apiKeyWire = wire<ApiKeyView>()("ApiKey", {
  ...fields,
  key: from(
    ({ publicText }: ApiKeyView) => publicText,
    nullable(
      Type.String({
        description:
          "A publishable key itself. Null for a secret key, and for a publishable one that was made before keys were kept.",
      }),
    ),
  ),
});

export const createdKeyWire = wire<ApiKeyView & { readonly key: string }>()("CreatedApiKey", {
  ...fields,
  key: Type.String({
    description: "The key itself. A secret key is not stored and cannot be shown again.",
  }),
});
