// The receiver inside of the test shop: how much it keeps, what it hides, and what it says of a
// message.

import type { Id } from "#kernel/id.ts";

/** Messages of the shop; the oldest make room. */
export const MESSAGES_MAX = 1_000;
/** 256 KiB: ten times what an event should have. */
export const MESSAGE_BYTES_MAX = 262_144;
/** An event's name is shorter by far; anything longer is none. */
export const EVENT_LENGTH_MAX = 100;

export const inboxName = /^[A-Za-z0-9_-]{1,64}$/;

/** `unsigned` where no signature came at all. */
export const verdicts = ["valid", "invalid", "unsigned"] as const;
export type SignatureVerdict = (typeof verdicts)[number];

export interface InboxMessage {
  /** Rises with each message, until the shop is reset. */
  readonly id: number;
  /** Which inbox it was sent to. */
  readonly name: string;
  readonly receivedAt: number;
  /** By names in lower case, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signature: SignatureVerdict;
  /** Whose secret the signature was made with. */
  readonly webhookId: Id<"webhook"> | null;
  readonly answeredStatus: number;
}

/** What lets somebody in elsewhere: whoever reads the inbox need not know it. */
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "x-api-key",
]);

/** The headers as they are kept: that a secret came is told, but not the secret. */
export function keptHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? "[redacted]" : value]),
  );
}

/** The body as a text, with U+FFFD for what is none and for NUL; a byte order mark stays. */
export function keptBody(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\uFFFD");
}

/** The name of the event that the body tells of; null where it is no such JSON. */
export function eventNameIn(body: string): string | null {
  const value = parsed(body);
  if (typeof value !== "object" || value === null || !("event" in value)) return null;
  const { event } = value;
  if (typeof event !== "string" || event.length > EVENT_LENGTH_MAX) return null;
  return event;
}

/** Null for what is no JSON, which a body may well be. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
