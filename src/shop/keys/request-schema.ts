// Requests about API keys on the wire.

import Type, { type Static } from "typebox";

import type { Mode } from "#platform/database/shop.ts";
import {
  about,
  choice,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import {
  NAME_LENGTH_MAX,
  OVERLAP_HOURS_DEFAULT,
  OVERLAP_HOURS_MAX,
  RATE_PER_MINUTE_MAX,
} from "./api-key.ts";
import type { NewKey, Rotation } from "./create-key.ts";
import { kind } from "./schema.ts";
import { defaultGrants, grants, type Maker } from "./scopes.ts";

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
    nullable(about(instant, "At the latest, and by default, when the calling key expires.")),
  ),
});

export const keyRotationSchema = object({
  overlap_hours: optional(
    whole(0, OVERLAP_HOURS_MAX, {
      default: OVERLAP_HOURS_DEFAULT,
      description: "The previous key stays valid for this many hours; with 0 it is revoked.",
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

/** Reads a rotation from a request body. The caller bounds the new key. */
export function readKeyRotation(
  { overlap_hours: overlapHours = OVERLAP_HOURS_DEFAULT }: Static<typeof keyRotationSchema>,
  maker: Maker,
  mode: Mode,
): Rotation {
  return { mode, overlapHours, maker };
}
