// The ways to pay as the checkout lists them, and those that a merchant takes by hand.

import type { Static } from "typebox";

import type { Visit } from "#dashboard/kit/visit.ts";
import { paymentMethodsWire } from "#payments/routes/gateway-schema.ts";

type Method = Static<(typeof paymentMethodsWire)["schema"]>["methods"][number];

/** The methods that orders in the shop's currency can be paid in. */
export async function offeredMethods(visit: Visit): Promise<readonly Method[]> {
  return (await visit.ask(paymentMethodsWire, "GET /v2/payment-methods")).methods;
}

/** The methods of the shop's list of ways to pay that no gateway takes. */
export async function methodsByHand(visit: Visit): Promise<Method[]> {
  const methods = await offeredMethods(visit);
  return methods.filter(({ by }) => by === "hand");
}

/** The choices of a field, under the shop's own names. */
export function optionsOf(methods: readonly Method[]) {
  return methods.map(({ method, label }) => ({ value: method, label }));
}
