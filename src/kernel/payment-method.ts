// How a customer may pay: a word that carts, orders and payments share.

export const paymentMethods = [
  "mobile_money",
  "card",
  "gateway",
  "cash_on_delivery",
  "bank_transfer",
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

const prepaidMethods: ReadonlySet<string> = new Set(["mobile_money", "card", "gateway"]);

/** Whether the customer pays before anything ships, so that an unpaid order must not hold stock. */
export function isPrepaid(method: string): boolean {
  return prepaidMethods.has(method);
}

/** What a customer pays by where nothing is said: a hosted page takes whatever they have. */
export const PAYMENT_METHOD_DEFAULT: PaymentMethod = "gateway";
