// The shop's gateway at the face of Paystack.

import {
  type FaceTerms,
  openPaystackFace,
  type PaystackFace,
} from "#mocks/paystack/paystack-face.ts";
import type { World } from "#payments/gateways/contract/world.ts";
import { openPaystack } from "#payments/gateways/paystack/paystack.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";

import { attempt } from "../../sandbox/simulated-rig.ts";

export interface PaystackRig extends AsyncDisposable {
  readonly face: PaystackFace;
  readonly gateway: Gateway;
}

/** What a gateway of the face is made of. */
export function termsOf(face: PaystackFace, given: Partial<VendorTerms> = {}): VendorTerms {
  return {
    mode: face.account.isLive ? "live" : "test",
    clock: { now: () => face.account.now() },
    secret: face.secret,
    webhookSecrets: [],
    address: face.server.url,
    ...given,
  };
}

export async function openPaystackGateway(
  given: FaceTerms & Partial<VendorTerms> = {},
): Promise<PaystackRig> {
  const face = await openPaystackFace({ startsAt: 0, ...given });
  const gateway = openPaystack(termsOf(face, given));
  return { face, gateway, [Symbol.asyncDispose]: () => face[Symbol.asyncDispose]() };
}

/** Calls that may last, and whose names and bodies no one saves. */
export const call: GatewayCallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

const returnUrl = "https://shop.example/pay/return/t0k3n";

/** An attempt of 24.50 GHS on a page, which began at the start of the epoch. */
export function onPage(given: Partial<GatewayAttempt> = {}): GatewayAttempt {
  return attempt({ method: "gateway", currency: "GHS", returnUrl, ...given });
}

/** The same by a phone of MTN in Ghana. */
export function byPhone(end: string, given: Partial<GatewayAttempt> = {}): GatewayAttempt {
  const phone = `+2335512349${end}`;
  return onPage({ method: "mobile_money", phone, provider: "mtn", ...given });
}

export function refundOf(
  paid: GatewayAttempt,
  amountMinor: number,
  given: Partial<GatewayRefund> = {},
): GatewayRefund {
  const refundId = "ref_01kf0000000000000000000001" as const;
  const tried = {
    reference: refundId,
    gatewayRefundId: null,
    reason: "other",
    wasAsked: false,
    createdAt: 0,
  } as const;
  return { refundId, ...tried, amountMinor, currency: paid.currency, attempt: paid, ...given };
}

/** What was told last; of a payment that failed nothing is. */
function lastNotice({ notices }: PaystackFace): ArrivedNotice {
  return notices.all.at(-1) ?? notices.sign('{"event":"none","data":{}}');
}

/** A payer by a phone that is asked for a code. */
export async function openPhoneWorld(): Promise<World> {
  const rig = await openPaystackGateway();
  const { face, gateway } = rig;
  const asked = byPhone("85");
  return {
    ...rig,
    attempt: asked,
    failureCode: "wrong_pin",
    answer: async (made, answer) => {
      const otp = answer === "approved" ? "123456" : "000000";
      for (let tries = 0; tries < 3; tries += 1) await gateway.submitAction(made, { otp }, call);
      return lastNotice(face);
    },
  };
}

/** A payer of a page, who pays on it or lets its time pass. */
export async function openPageWorld(): Promise<World> {
  const rig = await openPaystackGateway();
  const { face } = rig;
  return {
    ...rig,
    attempt: onPage(),
    failureCode: "insufficient_funds",
    answer: async (made, answer) => {
      const card =
        answer === "approved" ? "pm_card_visa" : "pm_card_visa_chargeDeclinedInsufficientFunds";
      face.payOnPage(made.gatewayReference, card);
      if (answer === "declined") face.pass(86_400_000);
      return lastNotice(face);
    },
  };
}
