// The life of an endpoint, and why it ends.

import { machine, type StateOf } from "#kernel/machine.ts";

/** A disabled endpoint receives nothing; its events stay in the log and can be replayed. */
export const endpointLife = machine({
  enabled: { disable: ["disabled", "webhook.disabled"] },
  disabled: { enable: ["enabled", null] },
});

export type EndpointStatus = StateOf<typeof endpointLife>;

export const disabledReasons = ["manual", "gone", "failing", "needs_new_secret"] as const;
/**
 * `manual`: by request. `gone`: the receiver answered 410. `failing`: after `FAILING_MS_MAX`.
 * `needs_new_secret`: restored from a backup whose secrets this shop cannot vouch for.
 */
export type DisabledReason = (typeof disabledReasons)[number];
