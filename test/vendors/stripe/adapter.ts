// The shop's gateway at the face of Stripe.

import { type FaceTerms, openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";
import type { World } from "#payments/gateways/contract/world.ts";
import { openStripe } from "#payments/gateways/stripe/stripe.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import type { Gateway, GatewayAttempt, GatewayCallTerms } from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";

import { attempt } from "../../sandbox/simulated-rig.ts";

export const WEBHOOK_SECRET = "whsec_3Fa03Fa03Fa03Fa03Fa03Fa0";

/** Fails the bank's question, or passes it. */
const CHALLENGED = "pm_card_threeDSecure2Required";

export interface StripeGatewayRig extends AsyncDisposable {
  readonly face: StripeFace;
  readonly gateway: Gateway;
}

/** What a gateway of the face is made of. */
export function termsOf(face: StripeFace, given: Partial<VendorTerms> = {}): VendorTerms {
  return {
    mode: face.account.isLive ? "live" : "test",
    clock: { now: () => face.account.now() },
    secret: face.secret,
    webhookSecrets: [WEBHOOK_SECRET],
    address: face.server.url,
    ...given,
  };
}

export async function openStripeGateway(
  given: FaceTerms & Partial<VendorTerms> = {},
): Promise<StripeGatewayRig> {
  const face = await openStripeFace(given);
  const gateway = openStripe(termsOf(face, given));
  return { face, gateway, [Symbol.asyncDispose]: () => face[Symbol.asyncDispose]() };
}

/** The shop's gateway at a mock that others wrote. */
export function openGatewayAt({
  url: address,
  key: secret,
}: {
  url: string;
  key: string;
}): Gateway {
  const clock = { now: () => Date.now() };
  return openStripe({ mode: "test", clock, secret, webhookSecrets: [WEBHOOK_SECRET], address });
}

/** An attempt of 24.50 EUR on a page, which began at the start of the epoch. */
export function onPage(given: Partial<GatewayAttempt> = {}): GatewayAttempt {
  const returnUrl = "https://shop.example/pay/return/t0k3n";
  return attempt({ currency: "EUR", returnUrl, ...given });
}

export function byToken(cardToken: string, given: Partial<GatewayAttempt> = {}): GatewayAttempt {
  return onPage({ method: "card", cardToken, ...given });
}

/** Terms of calls that remember what they were told, and may last. */
export function callTerms() {
  const named: GatewayName[] = [];
  const keyed: (readonly [key: string, body: string])[] = [];
  const terms: GatewayCallTerms = {
    signal: new AbortController().signal,
    name: async (names) => void named.push(...names),
    keyed: async (key, body) => void keyed.push([key, body]),
  };
  return { terms, named, keyed };
}

/** A payer of a card whose bank asks. */
export async function openCardWorld(): Promise<World> {
  const rig = await openStripeGateway({ startsAt: 0 });
  const { face } = rig;
  return {
    ...rig,
    attempt: byToken(CHALLENGED),
    answer: async (_, answer) => {
      const [intent] = face.account.intents.all();
      await face.answerBank(intent?.id ?? "", answer === "approved" ? "approve" : "fail");
      return lastNotice(face);
    },
  };
}

/** A payer of a page, who pays on it or lets its time pass. */
export async function openPageWorld(): Promise<World> {
  const rig = await openStripeGateway({ startsAt: 0 });
  const { face } = rig;
  return {
    ...rig,
    attempt: onPage(),
    failureCode: "timeout",
    answer: async (_, answer) => {
      const [session] = face.account.sessions.all();
      if (answer === "approved") await face.payOnPage(session?.id ?? "", "pm_card_visa");
      else face.pass(86_400_000);
      return lastNotice(face);
    },
  };
}

/** The latest event as its endpoint receives it. */
export function lastNotice(face: StripeFace): ArrivedNotice {
  const event = face.notices.events.at(-1);
  if (event === undefined) throw new Error("Nothing happened at the vendor.");
  return { ...face.notices.sign(event, WEBHOOK_SECRET), token: null };
}
