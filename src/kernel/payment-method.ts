// The payment methods, shared by carts, orders and payments.

export const paymentMethods = [
  "mobile_money",
  "card",
  "gateway",
  "cash_on_delivery",
  "bank_transfer",
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

const prepaidMethods: ReadonlySet<string> = new Set(["mobile_money", "card", "gateway"]);

/** Whether the customer pays before anything ships. Stock of unpaid prepaid orders is released. */
export function isPrepaid(method: string): boolean {
  return prepaidMethods.has(method);
}

/** The method if the request names none: a hosted page that offers every method of the gateway. */
export const PAYMENT_METHOD_DEFAULT: PaymentMethod = "gateway";
