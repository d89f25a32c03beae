// Masks secrets in log lines, and in bodies that are shown. Invariant: none contains an API key, webhook secret, gateway key,
// cookie, bearer token, password of a URL, or card number.

import { isObject } from "#kernel/assume.ts";
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
  "customertoken",
]);

const noMore: ReadonlySet<string> = new Set();

/** Patterns of secrets in text; the kept groups show the kind of secret. */
const secretTexts: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // API keys of Duka.
  [/\b(test|live)_([sp]k)_[0-9A-Za-z]+/g, `$1_$2_${MASK}`],
  // Secret and restricted keys of Stripe and Paystack.
  [/\b(sk|rk)_(test|live)_[0-9A-Za-z]+/g, `$1_$2_${MASK}`],
  // Webhook secrets: Duka's in base64, Stripe's alphanumeric.
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  // Sessions of customers.
  [/\bcst_[0-9A-Za-z]+/g, `cst_${MASK}`],
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

/** A path with its query, without secrets. */
export function maskAddress(address: string): string {
  const masked = address.replace(/([?&])([^=&]+)=[^&]*/g, (whole, before: string, name: string) => {
    const [written = name] = new URLSearchParams(name).keys();
    return isSecret(written) ? `${before}${name}=${MASK}` : whole;
  });
  return maskText(masked);
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

/** A member of an object in a text that is no JSON, with or without quotes. */
const MEMBER = /(["']?)[\w-]{1,40}\1\s*:\s*(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,}\]]+)/g;

/**
 * The text of JSON without secrets and without the members of these names, every number with its digits. What is no JSON
 * is masked as far as it looks like it.
 */
export function maskJson(text: string, names: ReadonlySet<string> = noMore): string {
  try {
    return JSON.stringify(JSON.parse(text, memberMask(names)));
  } catch {
    return maskText(text.replace(MEMBER, (member) => maskWritten(member, names)));
  }
}

function maskWritten(member: string, names: ReadonlySet<string>): string {
  const colon = member.indexOf(":");
  const name = member.slice(0, colon).replaceAll(/["'\s]/g, "");
  return isSecret(name) || names.has(name) ? `${member.slice(0, colon + 1)} "${MASK}"` : member;
}

function memberMask(secret: ReadonlySet<string>) {
  return (name: string, value: unknown, { source }: { readonly source?: string }) => {
    if ((isSecret(name) || secret.has(name)) && value !== null) return MASK;
    if (typeof value === "string") return maskText(value);
    if (typeof value === "number" && source !== undefined) {
      return holdsCardNumber(source) ? MASK : JSON.rawJSON(source);
    }
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    if (names.every((one) => maskText(one) === one)) return value;
    return Object.fromEntries(names.map((one) => [maskText(one), value[one]]));
  };
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
    const isMasked = isSecret(name) && value !== null;
    masked[maskText(name)] = isMasked ? MASK : maskValue(value, depth - 1);
  }
  return masked;
}

function isSecret(name: string): boolean {
  return secretNames.has(name.toLowerCase().replace(/[-_]/g, ""));
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
