// Reads Paystack's answers to a charge, or to the customer's code.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { GatewayAttempt, Initiation, PaymentOutcome } from "#payments/port/gateway.ts";
import type { PayerTask, PayerText } from "#payments/rows/payment-life.ts";

import { failureOf } from "./outcomes.ts";

/** The network works on it, and asks the customer for nothing more. */
const working: ReadonlySet<string> = new Set(["pending", "ongoing", "processing", "queued"]);
/** Asked of raw cards and bank accounts, which are never sent. */
const foreign: ReadonlySet<string> = new Set([
  "send_pin",
  "send_phone",
  "send_birthday",
  "send_address",
]);

/** Throws `Surprise` for an answer that names another attempt: no poll of this one would find its money. */
export function requireAbout(
  data: Fields,
  { gatewayReference }: Pick<GatewayAttempt, "gatewayReference">,
): void {
  const reference = data.textIfAny("reference");
  if (reference !== null && reference !== gatewayReference) throw data.surprise("reference");
}

/** The next step of the customer; `verify` where the transaction itself has to be read. */
export function initiationOf(charge: Fields): Initiation | "verify" {
  const names = [] as const;
  const status = charge.text("status");
  if (working.has(status)) return { kind: "done", outcome: { state: "pending", names } };
  if (foreign.has(status)) {
    return { kind: "declined", failureCode: "other", gatewayCode: status, names };
  }
  switch (status) {
    case "success":
      return "verify";
    case "pay_offline":
      return offline(charge);
    case "send_otp": {
      const displayText = shownOf(charge, { task: "enter_code" });
      return { kind: "otp", displayText, names };
    }
    case "open_url":
      return { kind: "redirect", url: pageOf(charge, "url"), expiresAt: null, names };
    case "failed":
    case "timeout":
      return { kind: "declined", ...failureOf(...reasonsOf(charge)), names };
    default:
      throw charge.surprise("status");
  }
}

/** The same from what the transaction said. */
export function initiationFrom(outcome: PaymentOutcome): Initiation {
  if (outcome.state === "failed") return { ...outcome, kind: "declined" };
  return outcome.state === "succeeded" || outcome.state === "pending"
    ? { kind: "done", outcome }
    : { kind: "unknown" };
}

function offline(charge: Fields): Initiation {
  const names = [] as const;
  const ussd = charge.textIfAny("ussd_code");
  if (ussd !== null) {
    const displayText = shownOf(charge, { task: "dial", ussd });
    return { kind: "offline", action: "dial_ussd", displayText, names };
  }
  const account = charge.textIfAny("account_number");
  const reference = charge.textIfAny("account_reference");
  if (account !== null && reference !== null) {
    const displayText = shownOf(charge, { task: "pay_to", account, reference });
    const details = [
      { label: "Paybill", value: account },
      { label: "Account", value: reference },
    ];
    return { kind: "offline", action: "pay_to_account", displayText, details, names };
  }
  const displayText = shownOf(charge, { task: "approve" });
  return { kind: "offline", action: "approve_on_phone", displayText, names };
}

/** Paystack's own words for the customer, where it has some. */
function shownOf(charge: Fields, otherwise: PayerTask): PayerText {
  return charge.textIfAny("display_text") ?? otherwise;
}

/** An address that a browser can be sent to. */
export function pageOf(object: Fields, name: string): string {
  const url = object.text(name);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw object.surprise(name);
  return url;
}

function reasonsOf(charge: Fields): (string | null)[] {
  return [charge.textIfAny("message"), charge.textIfAny("gateway_response")];
}
