// Rules: the credentials of the shop at a vendor, which the operator gives in the environment or has stored.

import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS } from "#kernel/time.ts";

import type { GatewayAccountRow } from "./tables.ts";

/** The secrets that calls to a vendor and notices from it need. */
export interface Credentials {
  readonly secret: string;
  /** The newest first. */
  readonly webhookSecrets: readonly string[];
}

/** The secret before, of a vendor that signs notices with its secret. */
export interface FormerSecret {
  readonly secret: string;
  /** Epoch milliseconds: what it signed is taken until then. */
  readonly until: number;
}

/** A notice that was not taken is sent again for 72 hours (Paystack, Webhooks), as it was signed at first. */
const FORMER_MS = 73 * HOUR_MS;

/** The former secret of an account that was set then; undefined without one. */
export function formerOf(secrets: readonly string[], setAt: number): FormerSecret | undefined {
  const [secret] = secrets;
  return secret === undefined ? undefined : { secret, until: setAt + FORMER_MS };
}

/** A stored account with its sealed secrets. */
export type GatewayAccount = GatewayAccountRow;

/**
 * The places for which the secrets of a gateway are sealed, so that a row that is copied elsewhere means nothing there.
 */
export function placesOf(gateway: string, mode: "test" | "live") {
  return {
    secret: `gateway ${gateway} ${mode} secret`,
    webhookSecrets: `gateway ${gateway} ${mode} webhook secrets`,
  };
}

export const gatewayAccountNotFound = defineRefusal(
  "gateway_account_not_found",
  "not_found",
  "The shop has no stored secret for this gateway.",
);
