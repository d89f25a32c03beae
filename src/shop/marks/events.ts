// The event of what limits refuse. It names no network, which only `audit:read` shows.

import { type AbuseKind, abuseKinds } from "#kernel/abuse.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { at, from, shape } from "#platform/http/contract/wire.ts";
import { choice, whole } from "#platform/http/contract/words.ts";

interface Reached {
  readonly kind: AbuseKind;
  /** Those of the first minute. */
  readonly count: number;
  /** When the hour began. */
  readonly since: number;
}

const kinds = choice(abuseKinds);

const declared = declareEvents(
  shape<Reached>()({
    id: from(({ kind }: Reached) => kind, kinds),
    kind: kinds,
    count: whole(1),
    since: at,
  }),
  ["limit.reached"],
);

export const limitEvents = declared.payloads;

/** Builds `limit.reached`. */
export function limitReached(reached: Reached): Announcement {
  return declared.announce("limit.reached", reached.kind, reached);
}
