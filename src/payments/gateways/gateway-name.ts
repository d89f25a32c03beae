// Names of things at gateways.

import type { GatewayNameKind } from "#payments/payments/payment-life.ts";

/** What the gateway calls a thing; kept for good. A name is unique at its gateway, whatever its kind. */
export interface GatewayName {
  readonly kind: GatewayNameKind;
  readonly name: string;
}
