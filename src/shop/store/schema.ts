// The ways to pay, in the words of the documentation.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import { namedChoice } from "#platform/http/contract/words.ts";

import type { Taker } from "./payment-methods.ts";

export const paymentMethod = namedChoice<PaymentMethod>(
  {
    name: "PaymentMethod",
    about: "A way to pay. A gateway takes the first three, or the merchant by hand.",
  },
  {
    mobile_money: "From the wallet of a phone.",
    card: "By card.",
    gateway: "On a page of the gateway, which offers what it takes.",
    cash_on_delivery: "To the courier, or where the goods are collected.",
    bank_transfer: "From a bank account to one of the shop.",
    cash: "At the counter of the shop.",
  },
);

export const taker = namedChoice<Taker>(
  { name: "Taker", about: "Who takes the money." },
  {
    gateway: "A gateway, which tells Duka that it came.",
    hand: "The merchant, who confirms that it came.",
  },
);
