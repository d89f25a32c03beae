// Story: what asking a gateway for the money led to. A payment that was decided meanwhile, by a
// notice that was faster than the answer, stays as it was decided.

import type { Id } from "#kernel/id.ts";
import type { Mode, Tx } from "#platform/store/store.ts";

import { advancePayment } from "./advance-payment.ts";
import { findPayment } from "./find-payment.ts";
import type { Initiation } from "./gateways/port.ts";
import { isOpen, type NextAction, type Payment } from "./payment.ts";
import { settlePayment } from "./settle-payment.ts";

type Asked = Extract<Initiation, { kind: "redirect" | "offline" | "otp" }>;

/** Afterwards the payment says what the payer must do, or how it ended. */
export async function noteInitiation(
  tx: Tx,
  id: Id<"payment">,
  { initiation, mode }: { readonly initiation: Initiation; readonly mode: Mode },
): Promise<Payment> {
  const { payment } = await findPayment(tx, id);
  switch (initiation.kind) {
    case "redirect":
    case "offline":
    case "otp":
      return isOpen(payment) ? ask(tx, payment, initiation) : payment;
    case "done":
      if (initiation.outcome.state === "pending") return work(tx, payment);
      return settlePayment(tx, id, { mode, outcome: initiation.outcome });
    case "declined":
      return settlePayment(tx, id, { mode, outcome: { ...initiation, state: "failed" } });
    case "unknown":
      return settlePayment(tx, id, { mode, outcome: { state: "unknown" } });
    case "not_sent":
      return payment;
  }
}

function ask(tx: Tx, payment: Payment, asked: Asked): Promise<Payment> {
  const nextAction = nextActionOf(payment, asked);
  return advancePayment(tx, payment, {
    action: "ask",
    change: { nextAction, isUnknown: false, gatewayId: asked.gatewayId ?? payment.gatewayId },
  });
}

/** The payer has until the earlier of the gateway's end and ours. */
function nextActionOf({ expiresAt }: Payment, asked: Asked): NextAction {
  switch (asked.kind) {
    case "redirect": {
      const ends = [asked.expiresAt, expiresAt].filter((one) => one !== null);
      const endsAt = ends.length === 0 ? null : Math.min(...ends);
      return { type: "redirect", displayText: null, url: asked.url, expiresAt: endsAt };
    }
    case "offline":
      return { type: asked.action, displayText: asked.displayText, url: null, expiresAt };
    case "otp":
      return { type: "otp", displayText: asked.displayText, url: null, expiresAt };
  }
}

async function work(tx: Tx, payment: Payment): Promise<Payment> {
  if (payment.status !== "pending" && payment.status !== "requires_action") return payment;
  const change = { nextAction: null, isUnknown: false };
  return advancePayment(tx, payment, { action: "work", change });
}
