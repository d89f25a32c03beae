// The life of a cart.

import { machine, type StateOf } from "#kernel/machine.ts";

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const cartLife = machine({
  active:    { checkout: ["checkout", "checkout.started"], complete: ["completed", null], expire: ["expired", null] },
  checkout:  { abandon: ["abandoned", "cart.abandoned"], complete: ["completed", null], empty: ["active", null] },
  abandoned: { checkout: ["checkout", "cart.recovered"], complete: ["completed", "cart.recovered"], empty: ["active", null], expire: ["expired", null] },
  completed: {},
  expired:   {},
});
export type CartStatus = StateOf<typeof cartLife>;
export const cartStatuses = ["active", "checkout", "abandoned", "completed", "expired"] as const;
