// The statuses and the reasons of payments, refunds and disputes, in the words of the documentation.

import { states } from "#platform/http/contract/states.ts";
import { namedChoice } from "#platform/http/contract/words.ts";

import { disputeLife } from "./dispute-life.ts";
import {
  type FailureCode,
  paymentLife,
  type Provider,
  refundLife,
  type RefundReason,
} from "./payment-life.ts";

/** The status of a payment, for the documentation. */
export const paymentStatus = states(
  {
    name: "PaymentStatus",
    about:
      "Where the attempt to pay stands. `failed`, `cancelled` and `expired` are final for the shop alone: money may still come late.",
    life: paymentLife,
  },
  {
    pending: "It was begun. By hand: the shop waits for the money.",
    requires_action: "The customer has to do what `next_action` says.",
    processing: "The gateway is working on it.",
    succeeded: "The money came.",
    partially_refunded: "The money came, and a part of it went back.",
    refunded: "The money came, and all of it went back.",
    failed: "The gateway refused it, for the reason in `failure_code`.",
    cancelled: "It is not wanted any more.",
    expired: "The customer did nothing in time.",
    review: "Money came that does not match what was asked; a person accepts it or gives it back.",
  },
);

/** The status of a refund, for the documentation. */
export const refundStatus = states(
  { name: "RefundStatus", about: "Where the money that goes back is.", life: refundLife },
  {
    pending: "It will be sent to the gateway.",
    needs_approval: "It is above the limit of who asked for it, and waits for another person.",
    processing: "The gateway is working on it, which may take days.",
    needs_attention: "A person has to do what `attention` says.",
    succeeded: "The money went back. A bank may still return it days later.",
    failed: "The gateway refused it, or the bank sent the money back. It can be tried again.",
    cancelled: "It is not wanted any more, was declined, or the time for an approval ran out.",
    closed: "The money was given back another way, outside of the gateway.",
  },
);

/** The status of a dispute, for the documentation. */
export const disputeStatus = states(
  { name: "DisputeStatus", about: "How far the bank is, as the gateway tells.", life: disputeLife },
  {
    warning: "The bank asks, and takes nothing.",
    open: "It is not decided. Answer it at the gateway until `due_at`.",
    won: "It was decided for the shop.",
    lost: "It was decided for the customer.",
    closed: "It ended without a decision.",
  },
);

export const provider = namedChoice<Provider>(
  {
    name: "MobileMoneyProvider",
    about: "Who runs the wallet of a phone. `GET /v2/payment-methods` lists those that are taken.",
  },
  {
    mtn: "MTN.",
    vodafone: "Vodafone.",
    telecel: "Telecel.",
    airteltigo: "AirtelTigo.",
    airtel: "Airtel.",
    mpesa: "M-PESA.",
    orange: "Orange.",
    wave: "Wave.",
    tigo: "Tigo.",
    halopesa: "HaloPesa.",
    moov: "Moov.",
    zamtel: "Zamtel.",
    free_money: "Free Money.",
  },
);

export const failureCode = namedChoice<FailureCode>(
  { name: "FailureCode", about: "Why a payment failed. `gateway_code` is the gateway's own word." },
  {
    insufficient_funds: "There is too little money in the wallet or the account.",
    declined: "The bank or the provider said no, and no more.",
    wrong_pin: "The PIN was wrong.",
    payer_not_found: "The number has no wallet.",
    payer_limit: "The payer has reached a limit of the wallet or the card.",
    not_approved: "The customer refused, or ended it.",
    timeout: "The customer did not answer in time.",
    provider_unavailable: "The provider did not work. It can be tried again.",
    fraud_suspected: "The gateway took it for fraud.",
    invalid_number: "The number of the phone or the card is wrong.",
    expired_card: "The card has expired.",
    other: "Another reason.",
  },
);

export const refundReason = namedChoice<RefundReason>(
  { name: "RefundReason", about: "Why the money goes back." },
  {
    requested_by_customer: "The customer asked for it.",
    duplicate: "It was paid twice.",
    fraud: "Suspected fraud.",
    goods_returned: "The goods came back.",
    order_cancelled: "The order was cancelled.",
    late_payment: "The money came for what was not owed any more.",
    other: "Another reason.",
  },
);
