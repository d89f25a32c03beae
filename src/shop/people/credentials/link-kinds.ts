// The kinds of one-time links, and how long each can be used.

import { HOUR_MS } from "#kernel/time.ts";

export const linkKinds = ["first_owner", "invitation", "recovery"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** How long a link can be used. */
export const linkLifeMs: Readonly<Record<LinkKind, number>> = {
  first_owner: 24 * HOUR_MS,
  invitation: 72 * HOUR_MS,
  recovery: 24 * HOUR_MS,
};
