// Sessions of people at the dashboard: how long they last, and what they say about their device. Invariant: a
// session is read for each request and never remembered, so that it ends at once on every Duka.

import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { RowOf } from "#platform/database/record.ts";
import type { Person } from "#shop/people/person.ts";

import type { sessions } from "./tables.ts";

/** A session without its token. */
export type Session = RowOf<typeof sessions>;

/** Without a request for this long, a session ends. */
const IDLE_MS = 7 * DAY_MS;
/** No session is older, however much it is used. */
const ABSOLUTE_MS = 30 * DAY_MS;
/** The whole life of a session at a device that is not the person's own. */
const BRIEF_MS = 12 * HOUR_MS;
/** How long the password counts as just given. */
const CONFIRMED_MS = 15 * MINUTE_MS;
/** `seenAt` is written at most this often. */
export const SEEN_STEP_MS = MINUTE_MS;
/** Sessions of one person at a time; another one ends the oldest. */
export const SESSIONS_MAX = 20;

/** A person with the session of their request. */
export interface Visitor {
  readonly person: Person;
  readonly session: Session;
}

/** The place from which a person signs in. */
export interface SignInPlace {
  /** Words about the device, such as `Chrome on Android`. */
  readonly device: string;
  /** The network of the client's address, as `networkOf` makes it; never the whole address. */
  readonly network: string | null;
}

/** The answer to a sign-in: what the browser is to keep. */
export interface SignedIn {
  /** The token of the session, for its cookie; only its hash is kept. */
  readonly token: string;
  readonly visitor: Visitor;
  /** Shows at the next sign-in that the device is known; null at a device that is not the person's own. */
  readonly knownToken: string | null;
}

/** A session that goes on under another token. */
export interface RenewedSession {
  readonly token: string;
  readonly visitor: Visitor;
}

const confirmationNeeded = defineRefusal(
  "confirmation_needed",
  "forbidden",
  "The password must have been given within the last 15 minutes.",
);
export const sessionNotFound = defineRefusal(
  "session_not_found",
  "not_found",
  "There is no such session.",
);

type Times = Pick<Session, "createdAt" | "seenAt" | "isBrief">;

/** When the session ends if it is not used again, epoch milliseconds. */
export function endOf({ createdAt, seenAt, isBrief }: Times): number {
  return Math.min(createdAt + (isBrief ? BRIEF_MS : ABSOLUTE_MS), seenAt + IDLE_MS);
}

/** Returns true if the person gave the password within the last 15 minutes. */
export function isConfirmed({ confirmedAt }: Pick<Session, "confirmedAt">, now: number): boolean {
  return now - confirmedAt < CONFIRMED_MS;
}

/** Refuses with `confirmation_needed` unless the person gave the password within the last 15 minutes. */
export function requireConfirmed(session: Session, now: number): void {
  if (!isConfirmed(session, now)) throw confirmationNeeded();
}
