// The payment methods, shared by the shop's settings, carts, orders and payments.

export const paymentMethods = [
  "mobile_money",
  "card",
  "gateway",
  "cash_on_delivery",
  "bank_transfer",
  "cash",
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Methods that a gateway can take; the merchant takes the others by hand. */
export const gatewayMethods = ["mobile_money", "card", "gateway"] as const;
export type GatewayMethod = (typeof gatewayMethods)[number] & PaymentMethod;

/** Returns true if a gateway can take this method. */
export function isGatewayMethod(method: string): method is GatewayMethod {
  return gatewayMethods.some((one) => one === method);
}

/** Methods that the customer pays to a person, when the goods are handed over. */
export const inPersonMethods = [
  "cash_on_delivery",
  "cash",
] as const satisfies readonly PaymentMethod[];

/** Returns true if the customer pays when the goods are handed over. */
export function isPaidInPerson(method: PaymentMethod): boolean {
  return inPersonMethods.some((one) => one === method);
}

/** Returns true if the customer pays before anything ships. */
export function isPrepaid(method: string): boolean {
  return isGatewayMethod(method);
}

/** The method if the request names none: a hosted page that offers every method of the gateway. */
export const PAYMENT_METHOD_DEFAULT: PaymentMethod = "gateway";
