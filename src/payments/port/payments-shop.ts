// A shop with its gateways: the power of workflows that call one.

import type { Id } from "#kernel/id.ts";
import { isGatewayMethod } from "#kernel/payment-method.ts";
import { monotonicMs } from "#kernel/time.ts";
import { findNames, saveKeyedBody, saveNames } from "#payments/rows/gateway-queries.ts";
import { lockPayment } from "#payments/rows/lookups.ts";
import { isOpenAttempt, isPayable, type Payment } from "#payments/rows/payment.ts";
import type { Refund } from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { returnUrlOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";

import { GatewayHealth } from "./gateway-health.ts";
import { askedAtGateway, type CallKind, type CallTimes } from "./gateway-times.ts";
import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  NotSent,
  Trouble,
  Unclear,
} from "./gateway.ts";

export interface PaymentsShop extends Shop {
  /** The first one that takes an attempt gets it. The list changes when the operator stores a secret of a vendor. */
  readonly gateways: readonly Gateway[];
  /** True of a URL to return to after a payment that is on this server, or on a host that the operator named. */
  readonly mayReturnTo: (url: string) => boolean;
  /** Makes the gateways of this program anew, from what is stored now. */
  readonly reopenGateways: () => Promise<void>;
  /** Refunds that this program is sending: a second sender waits for the result of the first. */
  readonly sendingRefunds: Map<Id<"refund">, Promise<Refund>>;
  readonly health: GatewayHealth;
  readonly callTimes: CallTimes;
  /** Tells the operator of a gateway in trouble. */
  readonly onTrouble: (trouble: GatewayTrouble) => void;
}

/** A call that was refused, or whose answer no document describes. */
export interface GatewayTrouble {
  readonly gateway: string;
  readonly call: CallKind;
  readonly trouble: Exclude<Trouble, null>;
  /** The place at which the answer surprises. */
  readonly pointer?: string;
  /** The error that the gateway's code threw. */
  readonly error?: unknown;
}

/** The bare shop with the power to move money through these gateways. */
export function openPaymentsShop(
  bare: Shop,
  terms: Pick<
    PaymentsShop,
    "gateways" | "mayReturnTo" | "callTimes" | "onTrouble" | "reopenGateways"
  >,
): PaymentsShop {
  const health = new GatewayHealth(monotonicMs, () => bare.clock.now());
  return { ...bare, ...terms, sendingRefunds: new Map(), health };
}

/** One call to the gateway of a payment. */
export interface AttemptCall<T> {
  readonly call: CallKind;
  readonly run: (gateway: Gateway, attempt: GatewayAttempt, terms: GatewayCallTerms) => Promise<T>;
  /** The answer if the gateway is no longer set up. */
  readonly absent: T;
  /** The answer if the call throws: the gateway may have acted before it did. */
  readonly broken: T;
}

/** Any answer of a gateway. */
type GatewayAnswer = ({ readonly kind: string } | { readonly state: string }) & Unclear;

/** The answer of a gateway that is not set up any more. */
export const NO_GATEWAY: NotSent = {
  kind: "not_sent",
  trouble: "misconfigured",
  retryAfterMs: null,
};

/** Calls the gateway at which the attempt was made; never throws what the gateway throws. Its troubles are reported. */
export async function callGateway<T extends GatewayAnswer>(
  { database, gateways, health, callTimes, onTrouble }: PaymentsShop,
  payment: Payment,
  { call, run, absent, broken }: AttemptCall<T>,
): Promise<T> {
  const gateway = gateways.find((one) => one.id === payment.gateway);
  if (gateway === undefined) return absent;
  const returnUrl = returnUrlOf(await getLinkTerms(database.read), payment);
  const names = await findNames(database.read, payment.id);
  const attempt = { ...attemptOf(payment), names, returnUrl };
  const terms: GatewayCallTerms = {
    signal: AbortSignal.timeout(callTimes[call]),
    name: async (given) => {
      const isAwaited = await database.write(async (tx) => {
        await saveNames(tx, payment, given);
        return isStillAwaited(tx, payment);
      });
      if (!isAwaited) throw new AttemptOver();
    },
    keyed: async (key, body) => {
      const keyed = { gateway: gateway.id, key, body };
      const isSame = await database.write((tx) => saveKeyedBody(tx, keyed));
      if (!isSame) throw new Error(`Another body was sent under the key ${key}.`);
    },
  };
  const about = { gateway: gateway.id, call };
  const watchers = { health, onTrouble };
  return guardCall(watchers, about, { run: () => run(gateway, attempt, terms), broken });
}

/** Calls a gateway; never throws what it throws. Its troubles are reported. */
export async function guardCall<T extends GatewayAnswer>(
  { health, onTrouble }: Pick<PaymentsShop, "health" | "onTrouble">,
  about: Pick<GatewayTrouble, "gateway" | "call">,
  { run, broken }: { readonly run: () => Promise<T>; readonly broken: T },
): Promise<T> {
  let answer = broken;
  let isLimited = false;
  try {
    answer = await run();
    const { trouble = null, pointer } = answer;
    isLimited = trouble === "rate_limited";
    const where = pointer === undefined ? {} : { pointer };
    if (trouble !== null) onTrouble({ ...about, trouble, ...where });
  } catch (error) {
    // The gateway may have acted before it threw.
    if (!(error instanceof AttemptOver)) onTrouble({ ...about, trouble: "surprise", error });
  }
  health.record(about.gateway, { isAnswered: isAnswered(answer), isLimited });
  return answer;
}

/** The attempt was ended between two requests of one call: the next one would move money that is not awaited. */
class AttemptOver extends Error {}

/** Returns true if the attempt is the one that its payment waits for, and its order takes money. */
async function isStillAwaited(tx: Tx, asked: Payment): Promise<boolean> {
  const { payment, order } = await lockPayment(tx, asked.id);
  const isSame = payment.gatewayReference === asked.gatewayReference;
  return isOpenAttempt(payment) && isSame && (order === null || isPayable(order));
}

function isAnswered(answer: GatewayAnswer): boolean {
  const word = "state" in answer ? answer.state : answer.kind;
  return word !== "unknown" && word !== "not_sent";
}

/** The attempt as a gateway sees it, without its names and the address to return to. Throws for a payment that no gateway handles. */
export function attemptOf(payment: Payment): GatewayAttempt {
  const { id, gatewayReference, gatewayEndsAt, method } = payment;
  const isAtGateway = gatewayReference !== null && gatewayEndsAt !== null;
  if (!isAtGateway || !isGatewayMethod(method)) {
    throw new Error(`${id} is no attempt at a gateway.`);
  }
  return {
    paymentId: id,
    gatewayReference,
    reference: payment.reference,
    orderId: payment.orderId,
    customerId: payment.customerId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    method,
    phone: payment.phone,
    provider: payment.provider,
    cardToken: payment.cardToken,
    email: payment.email,
    returnUrl: null,
    names: [],
    gatewayEndsAt,
    gatewayAskedAt: askedAtGateway(payment, gatewayEndsAt),
    wasAsked: payment.askedAt !== null,
    createdAt: payment.createdAt,
  };
}
