// Masks secrets in log lines. Invariant: no line contains an API key, webhook secret, gateway key,
// cookie, bearer token, password of a URL, or card number.

import { holdsCardNumber, MASK, maskCardNumbers } from "#kernel/card-number.ts";

/** Deeper values are left out, to bound the size of a line and to end cycles. */
const DEPTH_MAX = 6;

/** Fields whose value is always masked, in lower case without separators. */
const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "password",
  "secret",
  "token",
  "apikey",
  "cardtoken",
  "otp",
  "pin",
]);

/** Patterns of secrets in text; the kept groups show the kind of secret. */
const secretTexts: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // API keys of Duka.
  [/\b(test|live)_([sp]k)_[0-9A-Za-z]+/g, `$1_$2_${MASK}`],
  // Secret and restricted keys of Stripe and Paystack.
  [/\b(sk|rk)_(test|live)_[0-9A-Za-z]+/g, `$1_$2_${MASK}`],
  // Webhook secrets: Duka's in base64, Stripe's alphanumeric.
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  [/\b(Bearer|Basic)\s+[0-9A-Za-z._~+/=-]{16,}/gi, `$1 ${MASK}`],
  [/\b((?:Set-)?Cookie):[^\r\n]*/gi, `$1: ${MASK}`],
  // Passwords in URLs, such as database addresses.
  [/:\/\/([^\s:/@]*):[^\s/@]+@/g, `://$1:${MASK}@`],
];

/** The text with every secret replaced. */
export function maskText(text: string): string {
  let masked = text;
  for (const [pattern, shown] of secretTexts) masked = masked.replace(pattern, shown);
  return maskCardNumbers(masked);
}

/**
 * Returns a function that replaces these texts in a line of JSON, wherever they stand: a secret without a form of
 * its own is known by its value alone.
 */
export function hideTexts(secrets: readonly string[]): (line: string) => string {
  // As they stand within a string of JSON; the longest first, since one may contain another.
  const written = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  const sorted = written.toSorted((one, other) => other.length - one.length);
  return (line) => sorted.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), line);
}

/**
 * The fields as plain JSON values without secrets. Errors become objects with name, message, stack
 * and cause.
 */
export function maskFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return maskEntries(Object.entries(fields), DEPTH_MAX);
}

function maskEntries(
  entries: readonly (readonly [string, unknown])[],
  depth: number,
): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const isSecret = secretNames.has(name.toLowerCase().replace(/[-_]/g, ""));
    masked[maskText(name)] = isSecret && value !== null ? MASK : maskValue(value, depth - 1);
  }
  return masked;
}

function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return maskText(value);
  if (typeof value === "number") return holdsCardNumber(String(value)) ? MASK : value;
  if (typeof value === "bigint") return maskText(String(value));
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof URL || value instanceof Date) return maskText(value.toJSON());
  return depth > 0 ? maskTree(value, depth) : "[deeper]";
}

function maskTree(value: object, depth: number): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => maskValue(entry, depth - 1));
  if (value instanceof Error) return maskEntries(errorEntries(value), depth);
  if (value instanceof Headers) return maskEntries([...value], depth);
  return maskEntries(Object.entries(value), depth);
}

/** The members of an error, with those that drivers add, such as `code`. */
function errorEntries(error: Error): [string, unknown][] {
  const { name, message, stack, cause } = error;
  const own = Object.entries(error).filter(([member]) => member !== "cause");
  const entries: [string, unknown][] = [["name", name], ["message", message], ...own];
  if (stack !== undefined) entries.push(["stack", stack]);
  if (cause !== undefined) entries.push(["cause", cause]);
  return entries;
}
