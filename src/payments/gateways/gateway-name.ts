// Names of things at gateways.

import type { GatewayNameKind } from "#payments/payments/payment-life.ts";

/** The gateway's name of a thing, kept for good. A name is unique at its gateway, whatever its kind. */
export interface GatewayName {
  readonly kind: GatewayNameKind;
  readonly name: string;
}
