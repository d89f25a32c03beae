// The changes of an order that the merchant can make.

import type { Address } from "#kernel/address.ts";
import type { Change } from "#kernel/change.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { ShippingRequest } from "#pricing/shipping/shipping-charge.ts";
import type { OrderLineRequest } from "#sales/rows/match-lines.ts";
import type { CustomerSnapshot } from "#sales/rows/order-life.ts";

export interface OrderFields {
  readonly customer: CustomerSnapshot | null;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly notes: string | null;
  readonly metadata: Metadata;
}

export interface OrderChange extends Change<
  Omit<OrderFields, "customer" | "contactEmail" | "contactPhone">
> {
  /** Members of the order's customer; null empties one. */
  readonly contact?: Change<Omit<CustomerSnapshot, "id">> | undefined;
  readonly lines?: readonly OrderLineRequest[] | undefined;
  readonly shipping?: ShippingRequest | null | undefined;
}
