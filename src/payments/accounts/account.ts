// Rules: the credentials of the shop at a vendor, which the operator gives in the environment or has stored.

import { defineRefusal } from "#kernel/refusal.ts";

import type { GatewayAccountRow } from "./tables.ts";

/** What calls to a vendor and notices from it need. */
export interface Credentials {
  readonly secret: string;
  /** The newest first. */
  readonly webhookSecrets: readonly string[];
}

/** A stored account with its sealed secrets. */
export type GatewayAccount = GatewayAccountRow;

/** What of a gateway is sealed for which place, so that a row that is copied elsewhere means nothing there. */
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
