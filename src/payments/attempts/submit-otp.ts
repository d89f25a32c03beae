// Workflow: submits the one-time code that the gateway sent to the customer. Invariant: of calls at once, one
// reaches the gateway, which may count a second one as a wrong code.

import {
  claimCall,
  endCall,
  type GatewayCall,
  newCall,
  orEndCall,
} from "#payments/port/gateway-calls.ts";
import type { Initiation } from "#payments/port/gateway.ts";
import { callGateway, NO_GATEWAY, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/rows/lookups.ts";
import {
  gatewayUnavailable,
  type Payment,
  paymentForbidden,
  requirePayable,
} from "#payments/rows/payment.ts";
import type { Tx } from "#platform/database/database.ts";

import { recordInitiation } from "./record-initiation.ts";

/**
 * Afterwards the payment is what the gateway answered to the code. While another call is under way, returns the
 * payment as it stands. Refuses with `invalid_transition` where no code is expected or the order
 * was cancelled, with `order_paid`, and with `gateway_unavailable` where the call never left this program.
 */
export async function submitOtp(
  shop: PaymentsShop,
  reference: string,
  otp: string,
): Promise<WholePayment> {
  const { database, mode } = shop;
  const { id } = requireOtp((await getPayment(database.read, reference)).payment);
  const call = newCall(database, id);
  const payment = await database.write((tx) => begin(tx, id, call));
  if (payment === null) return getPayment(database.read, id);
  const { kind } = await orEndCall(call, async () => {
    const initiation = await callGateway<Initiation>(shop, payment, {
      call: "submitAction",
      run: (gateway, attempt, terms) => gateway.submitAction(attempt, { otp }, terms),
      absent: NO_GATEWAY,
      broken: { kind: "unknown" },
    });
    await database.write(async (tx) => {
      await recordInitiation(tx, { sent: payment, initiation, mode });
      await endCall(tx, call);
    });
    return initiation;
  });
  if (kind === "not_sent") throw gatewayUnavailable({ headers: { "Retry-After": "5" } });
  return getPayment(database.read, payment.id);
}

/** Claims the call on the payment that the previous one left; null if another runs. */
async function begin(tx: Tx, id: Payment["id"], call: GatewayCall): Promise<Payment | null> {
  const { payment, order } = await lockPayment(tx, id);
  if (!(await claimCall(tx, call))) return null;
  // A refusal ends the transaction, and the claim with it.
  const open = requireOtp(payment);
  if (order !== null) requirePayable(order);
  return open;
}

function requireOtp(payment: Payment): Payment {
  if (payment.status === "requires_action" && payment.nextAction?.type === "otp") return payment;
  throw paymentForbidden(payment, "submit_otp");
}
