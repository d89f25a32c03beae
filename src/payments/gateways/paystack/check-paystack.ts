// Asks Paystack about an account, for the operator. Reads alone.

import { type Fields, Surprise } from "#payments/gateways/answers/fields.ts";
import type { CheckedLine, VendorTerms } from "#payments/gateways/vendors.ts";

import { PaystackCalls } from "./calls.ts";

const READ_MS = 10_000;

/** Asks for the currencies of the account, and for how long its pages are open. Changes nothing. */
export async function checkPaystack(terms: VendorTerms): Promise<readonly CheckedLine[]> {
  const calls = new PaystackCalls(terms);
  const call = (path: string) =>
    calls.get(path, { signal: AbortSignal.timeout(READ_MS), ms: READ_MS });
  return [
    lineOf(await call("/balance"), "the balance", balanceLine),
    lineOf(await call("/integration/payment_session_timeout"), "the time of pages", timeoutLine),
  ];
}

function lineOf(
  answer: Awaited<ReturnType<PaystackCalls["get"]>>,
  subject: string,
  reported: (answer: Fields) => CheckedLine,
): CheckedLine {
  if (answer.kind === "ok") {
    try {
      return reported(answer.answer);
    } catch (error) {
      if (!(error instanceof Surprise)) throw error;
      return {
        ok: false,
        text: `Paystack's answer about ${subject} surprises at ${error.pointer}.`,
      };
    }
  }
  if (answer.kind === "not_sent" && answer.trouble === "misconfigured") {
    const text = `Paystack does not know the secret, or does not take it from this server's address.`;
    return { ok: false, text };
  }
  const isLimited = answer.kind === "not_sent" && answer.trouble === "rate_limited";
  const why = isLimited ? "there were too many calls" : "there was no answer that can be read";
  return { ok: false, text: `Paystack was not asked for ${subject}: ${why}.` };
}

function balanceLine(answer: Fields): CheckedLine {
  const currencies = answer.list("data").map((one) => one.text("currency"));
  const text = `The account has a balance in ${currencies.join(", ")}.`;
  return { ok: currencies.length > 0, text };
}

function timeoutLine(answer: Fields): CheckedLine {
  const seconds = answer.fields("data").whole("payment_session_timeout");
  const text = seconds === 0 ? "Pages have no time limit." : `Pages are open for ${seconds} s.`;
  return { ok: true, text };
}
