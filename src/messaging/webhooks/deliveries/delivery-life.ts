// The life of a delivery, and the types of what its rows and attempts hold.

import { machine, type StateOf } from "#kernel/machine.ts";

/** No step emits an event: deliveries of events about deliveries would never end. */
export const deliveryLife = machine({
  pending: {
    claim: ["sending", null],
    cancel: ["cancelled", null],
    confirm: ["succeeded", null],
  },
  sending: {
    succeed: ["succeeded", null],
    retry: ["pending", null],
    exhaust: ["exhausted", null],
    release: ["pending", null],
    cancel: ["cancelled", null],
    confirm: ["succeeded", null],
  },
  succeeded: {},
  /** A resend may still succeed. */
  exhausted: { confirm: ["succeeded", null] },
  cancelled: { confirm: ["succeeded", null] },
});

export type DeliveryStatus = StateOf<typeof deliveryLife>;
export const deliveryStatuses = [
  "pending",
  "sending",
  "succeeded",
  "exhausted",
  "cancelled",
] as const satisfies readonly DeliveryStatus[];

export const attemptTriggers = ["schedule", "resend", "ping"] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];
/** `unknown`: the program ended or failed during the attempt. */
export const attemptOutcomes = ["succeeded", "failed", "unknown"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/** Why an attempt failed. `status`: the receiver answered with another status than 2xx. */
export const failureClasses = [
  "status",
  "dns",
  "blocked_address",
  "connect",
  "tls",
  "timeout",
  "reset",
  "too_large",
  "protocol",
  "secret_unreadable",
] as const;
export type FailureClass = (typeof failureClasses)[number];
