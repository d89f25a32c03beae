// The life of an endpoint, and why it ends.

import { machine, type StateOf } from "#kernel/machine.ts";

/** A disabled endpoint receives nothing; its events stay in the log and can be replayed. */
export const endpointLife = machine({
  enabled: { disable: ["disabled", "webhook.disabled"] },
  disabled: { enable: ["enabled", null] },
});

export type EndpointStatus = StateOf<typeof endpointLife>;

export const disabledReasons = ["manual", "gone", "failing"] as const;
/** `manual`: by request. `gone`: the receiver answered 410. `failing`: after `FAILING_MS_MAX`. */
export type DisabledReason = (typeof disabledReasons)[number];
