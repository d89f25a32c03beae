// The types of the port on the wire between Duka and an adapter, declared once: what is sent, and what counts as an
// answer. A member or a kind that the port gains does not compile until it is here.

import { isCurrency } from "#kernel/currency.ts";
import { gatewayMethods } from "#kernel/payment-method.ts";
import type {
  CancelOutcome,
  FoundDisputes,
  FoundPayoutLines,
  FoundRefund,
  FoundRefunds,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  ListedPayouts,
  ListedReturn,
  ListedReturns,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import { disputedMoney, disputeStates, type FoundDispute } from "#payments/rows/dispute-life.ts";
import {
  type ActionDetail,
  failureCodes,
  type GatewayName,
  gatewayNameKinds,
  type Instrument,
  type PayerTask,
  type PayerText,
  providers,
  refundReasons,
} from "#payments/rows/payment-life.ts";
import {
  type FoundPayoutLine,
  type ListedPayout,
  payoutLineKinds,
  payoutStates,
} from "#payments/rows/payout-life.ts";
import { type Mode, modes } from "#platform/database/shop.ts";

import {
  exactText,
  flag,
  idPart,
  instant,
  known,
  link,
  list,
  matching,
  oneOf,
  optional,
  orNull,
  type Part,
  record,
  signedWhole,
  text,
  variants,
  whole,
} from "./parts.ts";

const TEXT_MAX = 300;
const CODE_MAX = 200;
const NAMES_MAX = 16;
/** Rows of a list. */
const ROWS_MAX = 200;
/** The longest text of a request, such as an address to return to. */
const SENT_MAX = 2_048;

const CURRENCY = /^[A-Z]{3}$/;
const currency = known(isCurrency, CURRENCY);
const reportedCurrency = matching(CURRENCY);
const code = text(CODE_MAX);
const sent = orNull(exactText(SENT_MAX));
const failureCode = oneOf(failureCodes);

const name = record<GatewayName>()({ kind: oneOf(gatewayNameKinds), name: exactText(CODE_MAX) });
const names = list(name, NAMES_MAX);

export const attemptPart = record<GatewayAttempt>()({
  paymentId: idPart("payment"),
  gatewayReference: exactText(CODE_MAX),
  reference: exactText(SENT_MAX),
  orderId: orNull(idPart("order")),
  customerId: orNull(idPart("customer")),
  amountMinor: whole,
  currency,
  method: oneOf(gatewayMethods),
  phone: sent,
  provider: orNull(oneOf(providers)),
  cardToken: sent,
  email: sent,
  returnUrl: sent,
  // Those of earlier calls, too.
  names: list(name, ROWS_MAX),
  wasAsked: flag,
  gatewayEndsAt: instant,
  gatewayAskedAt: instant,
  createdAt: instant,
});

export const refundPart = record<GatewayRefund>()({
  refundId: idPart("refund"),
  reference: exactText(CODE_MAX),
  amountMinor: whole,
  currency,
  reason: oneOf(refundReasons),
  gatewayRefundId: sent,
  attempt: attemptPart,
  wasAsked: flag,
  createdAt: instant,
});

const unclear = {
  trouble: optional(orNull(oneOf(["misconfigured", "rate_limited", "surprise"]))),
  pointer: optional(text(CODE_MAX)),
};
const notSent = { trouble: unclear.trouble, retryAfterMs: orNull(whole) };

const instrument = record<Instrument>()({
  brand: orNull(code),
  last4: orNull(matching(/^[0-9A-Za-z]{4}$/)),
  country: orNull(matching(/^[A-Z]{2}$/)),
});

export const outcomePart: Part<PaymentOutcome> = variants<PaymentOutcome>()("state", {
  succeeded: {
    gatewayReference: exactText(CODE_MAX),
    mode: oneOf(modes),
    amountMinor: whole,
    currency: reportedCurrency,
    names,
    returnedMinor: whole,
    isDisputed: optional(flag),
    paidAt: orNull(instant),
    channel: orNull(code),
    instrument: orNull(instrument),
    feeMinor: orNull(whole),
  },
  failed: { failureCode, gatewayCode: orNull(code), names },
  pending: { names, url: optional(link), isWorking: optional(flag) },
  not_found: {},
  unknown: unclear,
});

const payerTask = variants<PayerTask>()("task", {
  approve: {},
  enter_code: {},
  dial: { ussd: text(CODE_MAX) },
  pay_to: { account: text(CODE_MAX), reference: text(CODE_MAX) },
});
const words = text(TEXT_MAX);
const payerText: Part<PayerText> = {
  schema: { anyOf: [words.schema, payerTask.schema] },
  read: (value, place) =>
    typeof value === "string" ? words.read(value, place) : payerTask.read(value, place),
  write: (value) => (typeof value === "string" ? value : payerTask.write(value)),
};
const detail = record<ActionDetail>()({ label: text(CODE_MAX), value: text(CODE_MAX) });

export const initiationPart = variants<Initiation>()("kind", {
  redirect: { url: link, expiresAt: orNull(instant), names },
  offline: {
    action: oneOf(["approve_on_phone", "dial_ussd", "pay_to_account"]),
    displayText: payerText,
    details: optional(list(detail, NAMES_MAX)),
    names,
  },
  otp: { displayText: payerText, names },
  done: { outcome: outcomePart },
  declined: { failureCode, gatewayCode: orNull(code), names, ...unclear },
  not_sent: notSent,
  unknown: unclear,
});

export const cancelPart = variants<CancelOutcome>()("kind", {
  cancelled: {},
  unsupported: {},
  too_late: { outcome: outcomePart },
  unknown: unclear,
});

const gatewayRefundId = orNull(exactText(CODE_MAX));

export const refundOutcomePart = variants<RefundOutcome>()("kind", {
  pending: { gatewayRefundId },
  processing: { gatewayRefundId },
  succeeded: { gatewayRefundId },
  needs_attention: { gatewayRefundId },
  failed: { gatewayCode: orNull(code), gatewayRefundId },
  not_sent: notSent,
  not_found: {},
  unknown: unclear,
});

const foundRefund = record<FoundRefund>()({
  gatewayRefundId: exactText(CODE_MAX),
  reference: orNull(exactText(CODE_MAX)),
  amountMinor: whole,
  currency: reportedCurrency,
  outcome: refundOutcomePart,
  isMadeElsewhere: optional(flag),
});

export const refundsPart = variants<FoundRefunds>()("kind", {
  found: { refunds: list(foundRefund, ROWS_MAX) },
  unknown: unclear,
});

const foundDispute = record<FoundDispute>()({
  name: exactText(CODE_MAX),
  status: oneOf(disputeStates),
  amountMinor: whole,
  currency: reportedCurrency,
  reason: orNull(code),
  money: oneOf(disputedMoney),
  dueAt: orNull(instant),
});

export const disputesPart = variants<FoundDisputes>()("kind", {
  found: { disputes: list(foundDispute, ROWS_MAX) },
  unknown: unclear,
});

const listedReturn = record<ListedReturn>()({
  name: exactText(CODE_MAX),
  gatewayReference: orNull(exactText(CODE_MAX)),
  names,
});

export const returnsPart = variants<ListedReturns>()("kind", {
  found: { returns: list(listedReturn, ROWS_MAX) },
  unknown: unclear,
});

export const payoutPart = record<ListedPayout>()({
  name: exactText(CODE_MAX),
  status: oneOf(payoutStates),
  currency: reportedCurrency,
  netMinor: signedWhole,
  arrivesOn: matching(/^\d{4}-\d\d-\d\d$/),
  chargedMinor: optional(whole),
  feeMinor: optional(signedWhole),
});

export const payoutsPart = variants<ListedPayouts>()("kind", {
  found: { payouts: list(payoutPart, ROWS_MAX) },
  unknown: unclear,
});

const payoutLine = record<FoundPayoutLine>()({
  kind: oneOf(payoutLineKinds),
  gatewayReference: orNull(exactText(CODE_MAX)),
  names,
  grossMinor: signedWhole,
  feeMinor: signedWhole,
  original: optional(
    record<{ readonly amountMinor: number; readonly currency: string }>()({
      amountMinor: signedWhole,
      currency: reportedCurrency,
    }),
  ),
  isSum: optional(flag),
});

/** A payout of a busy month has more lines than other lists have rows. */
const LINES_MAX = 10_000;

export const payoutLinesPart = variants<FoundPayoutLines>()("kind", {
  found: { lines: list(payoutLine, LINES_MAX) },
  incomplete: {},
  unknown: unclear,
});

/** The payments of one method and currency that an adapter takes. */
export interface Taking {
  readonly method: (typeof gatewayMethods)[number];
  readonly currency: GatewayAttempt["currency"];
  readonly minimumMinor: number;
  readonly maximumMinor?: number;
  readonly multipleMinor?: number;
  /** Absent where every provider will do. */
  readonly providers?: readonly (typeof providers)[number][];
  /** The beginnings of phones that can pay; absent where every phone can. */
  readonly phonePrefixes?: readonly string[];
  /** True if a card may be named by a token. */
  readonly tokens?: boolean;
}

/** The calls that an adapter need not have. */
export const optionalCalls = [
  "find-disputes",
  "list-disputes",
  "list-refunds",
  "list-payouts",
] as const;

/** The description of an adapter by itself. */
export interface Description {
  readonly contract: 1;
  readonly mode: Mode;
  /** The name of the gateway, for the people of the shop. */
  readonly label: string;
  readonly takes: readonly Taking[];
  /** `uuid`: the vendor wants references of this form. */
  readonly reference: "plain" | "uuid";
  readonly refunds: "none" | "full" | "part";
  readonly cancels: boolean;
  /** True if payers may be asked for a code. */
  readonly otp: boolean;
  readonly refundsFailLate: boolean;
  readonly hidesReturns: boolean;
  readonly perMinute?: number;
  readonly calls: readonly (typeof optionalCalls)[number][];
  /** True if a payer of test mode answers when it is told to: for the kit of tests. */
  readonly testPayer?: boolean;
}

const TAKES_MAX = 64;
const LABEL_MAX = 80;

const taking = record<Taking>()({
  method: oneOf(gatewayMethods),
  currency,
  minimumMinor: whole,
  maximumMinor: optional(whole),
  multipleMinor: optional(whole),
  providers: optional(list(oneOf(providers), providers.length)),
  phonePrefixes: optional(list(matching(/^\+[1-9]\d{0,6}$/), TAKES_MAX)),
  tokens: optional(flag),
});

export const descriptionPart = record<Description>()({
  contract: oneOf([1]),
  mode: oneOf(modes),
  label: text(LABEL_MAX),
  takes: list(taking, TAKES_MAX),
  reference: oneOf(["plain", "uuid"]),
  refunds: oneOf(["none", "full", "part"]),
  cancels: flag,
  otp: flag,
  refundsFailLate: flag,
  hidesReturns: flag,
  perMinute: optional(whole),
  calls: list(oneOf(optionalCalls), optionalCalls.length),
  testPayer: optional(flag),
});
