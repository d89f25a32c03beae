// The requests that the vendor accepts: every field is known and has its type, or the call is refused.

import { isObject } from "#kernel/assume.ts";
import type { Asked } from "#mocks/vendor-server.ts";

import { PaystackRefusal } from "./errors.ts";

export type Given = Readonly<Record<string, unknown>>;

/** The smallest amounts, in the vendor's units. */
const minimums: Readonly<Record<string, number>> = {
  NGN: 5_000,
  GHS: 10,
  ZAR: 100,
  KES: 300,
  USD: 200,
  XOF: 100,
};
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const REFERENCE = /^[A-Za-z0-9.=-]+$/;
const channels = new Set(["card", "bank", "ussd", "qr", "mobile_money", "bank_transfer", "eft"]);

/** The phones of a currency, and the networks that it has. */
const phones: Readonly<Record<string, { form: RegExp; code: string; networks: string[] }>> = {
  GHS: { form: /^0(\d{9})$/, code: "+233", networks: ["mtn", "vod", "atl"] },
  KES: { form: /^\+254(\d{9})$/, code: "+254", networks: ["mpesa", "mpesa_offline", "atl"] },
  XOF: { form: /^(\d{10})$/, code: "+225", networks: ["mtn", "orange", "wave"] },
};

export function bodyOf({ headers, body }: Asked, known: readonly string[]): Given {
  if (headers.get("content-type") !== "application/json") throw invalid("Send JSON.");
  const given: unknown = JSON.parse(body);
  if (!isObject(given)) throw invalid("Send an object.");
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) throw invalid(`${strange} is not a parameter of this call.`);
  return given;
}

export function textOf(given: Given, name: string): string {
  const value = given[name];
  if (typeof value !== "string" || value === "")
    throw invalid(`${name} is missing.`, "missing_params");
  return value;
}

export interface Sale {
  readonly email: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
}

export function saleOf(given: Given): Sale {
  const email = textOf(given, "email");
  if (!EMAIL.test(email)) throw invalid("Invalid Email Address Passed");
  const reference = textOf(given, "reference");
  if (!REFERENCE.test(reference)) throw invalid("Only letters, digits, -, . and = in references");
  const currency = textOf(given, "currency");
  const minimum = minimums[currency];
  if (minimum === undefined) throw invalid("Currency not supported by merchant");
  const amount = amountOf(given);
  if (amount < minimum) throw invalid("Amount is below the minimum");
  return { email, amount, currency, reference };
}

export function amountOf(given: Given): number {
  const { amount } = given;
  if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount < 1) {
    throw invalid("Invalid Amount Sent");
  }
  return amount;
}

export function checkChannels(given: Given): void {
  const { channels: asked } = given;
  if (asked === undefined) return;
  const isKnown = Array.isArray(asked) && asked.every((one) => channels.has(String(one)));
  if (!isKnown) throw invalid("Invalid channels");
}

/** The phone in E.164, and its network. */
export function phoneOf(given: Given, currency: string): { phone: string; provider: string } {
  const money = given["mobile_money"];
  if (!isObject(money)) throw invalid("mobile_money is missing.", "missing_params");
  const known = phones[currency];
  const provider = textOf(money, "provider");
  const digits = known?.form.exec(textOf(money, "phone"))?.[1];
  if (known === undefined || digits === undefined) throw invalid("Invalid phone number");
  if (!known.networks.includes(provider)) throw invalid("Invalid provider");
  return { phone: `${known.code}${digits}`, provider };
}

export function invalid(message: string, code = "invalid_params"): PaystackRefusal {
  return new PaystackRefusal(400, message, code);
}
