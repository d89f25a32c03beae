// The inbox of the test shop, a webhook receiver: limits, redaction, and what a message contains.

/** Messages that webhooks signed, emails and messages of the shop; beyond that the oldest of them are deleted. */
export const OWN_MESSAGES_MAX = 800;
/** Messages that any stranger can send: they push out only each other. */
export const STRANGERS_MESSAGES_MAX = 200;
/** 64 KiB: three times the size of a large event. */
export const MESSAGE_BYTES_MAX = 65_536;
/** Messages without a valid signature that are taken in any 60 seconds: any stranger can send them. */
export const UNSIGNED_PER_MINUTE = 60;
/** Characters of the longest body that was saved: earlier versions took more. */
export const BODY_LENGTH_MAX = 262_144;
/** No event has a longer name. */
export const EVENT_LENGTH_MAX = 100;

export const inboxName = /^[A-Za-z0-9_-]{1,64}$/;

const INBOX_PATH = "/hooks/test/inbox/";

/** The path of an inbox, or of all of them for the router's `:name`. */
export function inboxPath(name: string): string {
  return `${INBOX_PATH}${name}`;
}

/** Returns true if a webhook with this URL sends to the inbox, whatever the server's public URL is. */
export function isInboxUrl(url: string, name: string): boolean {
  return URL.parse(url)?.pathname.endsWith(inboxPath(name)) === true;
}

/** `unsigned`: the message carries no signature. */
export const verdicts = ["valid", "invalid", "unsigned"] as const;
export type SignatureVerdict = (typeof verdicts)[number];

/** Headers that carry credentials, which readers of the inbox must not see. */
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "x-api-key",
]);

/** The headers as they are saved: a secret's name stays, its value is redacted. */
export function savedHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? "[redacted]" : value]),
  );
}

/** The body as text, with U+FFFD for invalid UTF-8 and for NUL; a byte order mark stays. */
export function savedBody(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\uFFFD");
}

/** The event name in a JSON body; null if there is none. */
export function eventNameIn(body: string): string | null {
  const value = parsed(body);
  if (typeof value !== "object" || value === null || !("event" in value)) return null;
  const { event } = value;
  if (typeof event !== "string" || event.length > EVENT_LENGTH_MAX) return null;
  return event;
}

/** Null for a body that is not JSON, which is allowed. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
