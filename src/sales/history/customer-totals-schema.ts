// The sums that a customer has spent, on the wire.

import { inBounds } from "#kernel/money.ts";
import { from, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import { currency, idOf, whole } from "#platform/http/contract/words.ts";

import type { CustomerTotals, TotalsOfCurrency } from "./customer-totals.ts";

const ofCurrency = shape<TotalsOfCurrency>()({
  currency,
  orders_count: from(
    ({ ordersCount }: TotalsOfCurrency) => ordersCount,
    whole(0, undefined, { description: "All orders, cancelled and unpaid ones as well." }),
  ),
  ...inBothUnits("paid", ({ paidMinor }: TotalsOfCurrency) => inBounds(paidMinor)),
  ...inBothUnits("refunded", ({ refundedMinor }: TotalsOfCurrency) => inBounds(refundedMinor)),
  ...inBothUnits("spent", ({ paidMinor, refundedMinor }: TotalsOfCurrency) =>
    inBounds(paidMinor - refundedMinor),
  ),
});

export const customerTotalsWire = wire<CustomerTotals>()("CustomerTotals", {
  customer_id: idOf("customer"),
  currencies: list(ofCurrency, { description: "One for each currency of the customer's orders." }),
});
