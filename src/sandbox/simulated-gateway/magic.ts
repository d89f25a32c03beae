// The table of magic values: what each card token and phone number does in test mode, step by step on
// the shop's clock. The simulated gateway, `GET /v2/test/magic` and the tests read it.

import type { CodeContact } from "#customers/sessions/code.ts";
import type { FailureCode } from "#payments/rows/payment-life.ts";

import type { Ending, Script, ScriptBook, Step } from "./script.ts";

/** How a payment with the value ends without further action. */
export const magicOutcomes = [
  "succeeded",
  "failed",
  "review",
  "requires_action",
  "expired",
  "refund_failed",
  "refund_needs_attention",
] as const;
export type MagicOutcome = (typeof magicOutcomes)[number];

export interface MagicValue {
  readonly value: string;
  readonly kind: "card" | "phone";
  /** The equivalent test number of a card network. */
  readonly standsFor: string | null;
  readonly meaning: string;
  readonly outcome: MagicOutcome;
  readonly failureCode: FailureCode | null;
  readonly script: Script;
}

/** The usual delay of a step, seconds. */
const THEN = 5;
/** How long a mobile network waits for approval, seconds. */
const NETWORK_TIMEOUT = 180;
/** Longer than the shop waits for a mobile payment, seconds. */
const AFTER_EXPIRY = 600;

/** How long a bank takes to decide a dispute, seconds. */
const BANK_DECIDES = 7 * 86_400;

const paid: Ending = { state: "succeeded" };

function failed(failureCode: FailureCode, gatewayCode: string | null = null): Ending {
  return { state: "failed", failureCode, gatewayCode };
}

/** Reaches the ending, and the gateway pushes a notice of it. */
function pushed(afterSeconds: number, becomes: Ending): Step[] {
  return [
    { afterSeconds, becomes },
    { afterSeconds, pushes: becomes.state },
  ];
}

const quiet: Script = {
  answer: { says: "approve_on_phone" },
  steps: [],
  arrives: true,
  money: "exact",
  refund: "succeeded",
  cancellable: true,
};
const atOnce: Script = {
  ...quiet,
  answer: { says: "outcome" },
  steps: [{ afterSeconds: 0, becomes: paid }],
};
const approved: Script = { ...quiet, steps: pushed(THEN, paid) };
const page: Script = { ...quiet, answer: { says: "redirect" } };

function declined(ending: Ending): Script {
  return { ...atOnce, steps: [{ afterSeconds: 0, becomes: ending }] };
}

function works(ending: Ending): Script {
  return { ...quiet, answer: { says: "outcome" }, steps: pushed(THEN, ending) };
}

function refused(ending: Ending): Script {
  return { ...quiet, steps: pushed(THEN, ending) };
}

function disputed(end: "won" | "lost"): Script {
  const opens = { afterSeconds: THEN, pushes: "dispute open" };
  const ends = { afterSeconds: BANK_DECIDES, pushes: `dispute ${end}` };
  return { ...atOnce, steps: [...atOnce.steps, opens, ends] };
}

const timesOut: Script = { ...quiet, answer: { says: "unknown" } };
const timesOutPaid: Script = { ...timesOut, steps: [{ afterSeconds: THEN, becomes: paid }] };
const neverArrives: Script = { ...timesOut, arrives: false };

type Row = readonly [meaning: string, outcome: MagicOutcome, script: Script];

// prettier-ignore
const cards: Readonly<Record<string, readonly [standsFor: string | null, ...Row]>> = {
  pm_card_visa:       ["4242424242424242", "Paid at once.", "succeeded", atOnce],
  pm_card_mastercard: ["5555555555554444", "Paid at once.", "succeeded", atOnce],
  tok_visa:           ["4242424242424242", "Paid at once.", "succeeded", atOnce],
  pm_card_visa_chargeDeclined:
    ["4000000000000002", "Declined without a reason.", "failed", declined(failed("declined", "generic_decline"))],
  pm_card_visa_chargeDeclinedInsufficientFunds:
    ["4000000000009995", "Declined: insufficient funds.", "failed", declined(failed("insufficient_funds", "insufficient_funds"))],
  pm_card_visa_chargeDeclinedLostCard:
    ["4000000000009987", "Declined: the card was reported lost.", "failed", declined(failed("declined", "lost_card"))],
  pm_card_visa_chargeDeclinedStolenCard:
    ["4000000000009979", "Declined: the card was reported stolen.", "failed", declined(failed("declined", "stolen_card"))],
  pm_card_visa_chargeDeclinedVelocityLimitExceeded:
    ["4000000000006975", "Declined: over the card's limit.", "failed", declined(failed("payer_limit", "card_velocity_exceeded"))],
  pm_card_chargeDeclinedExpiredCard:
    ["4000000000000069", "Declined: the card has expired.", "failed", declined(failed("expired_card", "expired_card"))],
  pm_card_chargeDeclinedIncorrectCvc:
    ["4000000000000127", "Declined: the security code is wrong.", "failed", declined(failed("declined", "incorrect_cvc"))],
  pm_card_chargeDeclinedProcessingError:
    ["4000000000000119", "Declined: the bank could not be reached.", "failed", declined(failed("provider_unavailable", "processing_error"))],
  pm_card_authenticationRequired:
    ["4000002760003184", "The customer decides on the test page.", "requires_action", page],
  pm_card_threeDSecure2Required:
    ["4000000000003220", "The customer decides on the test page.", "requires_action", page],
  pm_test_pendingThenSuccess: [null, "Processing, paid after 5 seconds.", "succeeded", works(paid)],
  pm_test_pendingThenFail:
    [null, "Processing, declined after 5 seconds.", "failed", works(failed("declined", "generic_decline"))],
  pm_test_gatewayError:
    [null, "The first request returns 503 and is not sent; a retry with the same key is paid.", "succeeded", { ...atOnce, answer: { says: "not_sent" } }],
  pm_test_timeoutPaid:
    [null, "The request times out; a later poll finds it paid.", "succeeded", timesOutPaid],
  pm_test_timeoutNotFound:
    [null, "The request times out and never arrives: failed after 10 minutes.", "failed", neverArrives],
  pm_test_amountShort:
    [null, "Paid 10% short.", "review", { ...atOnce, money: "short" }],
  pm_test_wrongCurrency:
    [null, "Paid in another currency.", "review", { ...atOnce, money: "other_currency" }],
  pm_test_refundFails:
    [null, "Paid at once; a refund fails.", "refund_failed", { ...atOnce, refund: "failed" }],
  pm_test_refundNeedsAttention:
    [null, "Paid at once; a refund needs attention.", "refund_needs_attention", { ...atOnce, refund: "needs_attention" }],
  pm_card_createDispute:
    ["4000000000000259", "Paid at once; disputed after 5 seconds, and lost after seven days.", "succeeded", disputed("lost")],
  pm_test_disputeWon:
    [null, "Paid at once; disputed after 5 seconds, and won after seven days.", "succeeded", disputed("won")],
};

/** By the last two digits of a number of Ghana or Kenya. */
// prettier-ignore
const phoneEndings: Readonly<Record<string, Row>> = {
  "80": ["Paid at once.", "succeeded", atOnce],
  "81": ["Fails after 5 seconds: insufficient funds.", "failed", refused(failed("insufficient_funds"))],
  "82": ["Fails after 5 seconds: the customer does not approve.", "failed", refused(failed("not_approved"))],
  "83": ["The customer does not respond: fails after 180 seconds.", "failed", { ...quiet, steps: pushed(NETWORK_TIMEOUT, failed("timeout")) }],
  "84": ["Paid after 5 seconds without a notice: only a poll finds it.", "succeeded", { ...quiet, steps: [{ afterSeconds: THEN, becomes: paid }] }],
  "85": ["Requires the code 123456; the third wrong one fails.", "requires_action", { ...quiet, answer: { says: "otp", otp: "123456" } }],
  "86": ["The gateway returns an error and knows no payment: failed after 10 minutes.", "failed", neverArrives],
  "87": ["Approved on the phone, paid after 5 seconds.", "succeeded", approved],
  "88": ["The request times out; a later poll finds it paid.", "succeeded", timesOutPaid],
  "89": ["The request times out and never arrives: failed after 10 minutes.", "failed", neverArrives],
  "90": ["Expires in the shop; paid 10 minutes after the request.", "succeeded", { ...quiet, steps: pushed(AFTER_EXPIRY, paid), cancellable: false }],
  "91": ["Paid 10% short after 5 seconds.", "review", { ...approved, money: "short" }],
  "92": ["Paid in another currency after 5 seconds.", "review", { ...approved, money: "other_currency" }],
  "93": ["Paid after 5 seconds; three notices of it, with an older one in between.", "succeeded", {
    ...quiet,
    steps: [
      { afterSeconds: THEN, becomes: paid },
      { afterSeconds: THEN, pushes: "succeeded" },
      { afterSeconds: THEN + 1, pushes: "pending" },
      { afterSeconds: THEN + 2, pushes: "succeeded" },
      { afterSeconds: THEN + 3, pushes: "succeeded again" },
    ],
  }],
  "94": ["Fails after 5 seconds: the network does not know the number.", "failed", refused(failed("payer_not_found"))],
  "95": ["Paid at once; the notice arrives before the response.", "succeeded", { ...quiet, steps: pushed(0, paid) }],
  "96": ["Never settles: expires in the shop and stays pending at the gateway.", "expired", { ...quiet, cancellable: false }],
  "97": ["Paid after 5 seconds; a refund fails.", "refund_failed", { ...approved, refund: "failed" }],
  "98": ["Paid after 5 seconds; a refund needs attention.", "refund_needs_attention", { ...approved, refund: "needs_attention" }],
};

/** Test numbers that mobile networks publish, with their published meaning. */
// prettier-ignore
const vendorPhones: Readonly<Record<string, Row>> = {
  "+254710000000": ["M-PESA: approved on the phone, paid after 5 seconds.", "succeeded", approved],
  "+2250700000000": ["Orange: requires the code 1234; the third wrong one fails.", "requires_action", { ...quiet, answer: { says: "otp", otp: "1234" } }],
};

function row(
  kind: MagicValue["kind"],
  value: string,
  [standsFor, meaning, outcome, script]: readonly [string | null, ...Row],
): MagicValue {
  const ends = script.steps.findLast((step) => "becomes" in step);
  const failureCode = ends?.becomes.state === "failed" ? ends.becomes.failureCode : null;
  return {
    value,
    kind,
    standsFor,
    meaning,
    outcome,
    failureCode: script.arrives ? failureCode : "provider_unavailable",
    script,
  };
}

/** Every magic value, cards first. */
export const magicValues: readonly MagicValue[] = [
  ...Object.entries(cards).map(([value, terms]) => row("card", value, terms)),
  ...["+2335512349", "+2547100000"].flatMap((prefix) =>
    Object.entries(phoneEndings).map(([end, terms]) =>
      row("phone", `${prefix}${end}`, [null, ...terms]),
    ),
  ),
  ...Object.entries(vendorPhones).map(([value, terms]) => row("phone", value, [null, ...terms])),
];

const scripts = new Map(magicValues.map((magic) => [`${magic.kind} ${magic.value}`, magic.script]));

/** The table as the simulated gateway reads it. Any other phone number approves and pays. */
export const magicBook: ScriptBook = {
  ofCard: (token) => scripts.get(`card ${token}`) ?? null,
  ofPhone: (phone) => scripts.get(`phone ${phone}`) ?? approved,
  ofPage: page,
};

/** Returns true if the phone, in E.164, is in the table. */
function isMagicPhone(phone: string): boolean {
  return scripts.has(`phone ${phone}`);
}

const MAGIC_CODE = "000000";
/** Reserved for documentation (RFC 2606). */
const MAGIC_DOMAIN = "@example.com";

/**
 * The code of a contact that stands for no one, which is always the same and is not sent; null for one that is sent a code
 * of its own.
 */
export function magicCodeOf({ kind, value }: CodeContact): string | null {
  const isMagic = kind === "email" ? value.endsWith(MAGIC_DOMAIN) : isMagicPhone(value);
  return isMagic ? MAGIC_CODE : null;
}
