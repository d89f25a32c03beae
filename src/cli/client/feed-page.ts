// Reads the event feed of a shop. Invariant: an event keeps the bytes that the shop emitted, so that
// forwarding it sends what a webhook would send.

import { listMember, member, numberMember, textMember } from "#cli/operator/members.ts";
import { printable } from "#cli/operator/table.ts";
import { eventNames } from "#messaging/events/event.ts";
import { thaw } from "#platform/event-log/event-log.ts";

import type { ShopAccess } from "./shop-access.ts";
import { requireSuccess, ShopFault } from "./shop-answer.ts";

/** Added to the wait of a page: for a proxy in between, or a busy machine. */
const SLACK_MS = 15_000;
const NAME_WIDTH = Math.max(...eventNames.map((name) => name.length));

export interface FeedEvent {
  readonly id: string;
  readonly name: string;
  /** ISO 8601, as the shop wrote it. */
  readonly createdAt: string;
  /** The id of the resource that the event is about. */
  readonly subject: string | null;
  /** The event as minified JSON; numbers keep their digits. */
  readonly envelope: string;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly nextAfter: number;
  readonly lastSequence: number;
}

export interface PageRequest {
  readonly after: number;
  readonly limit: number;
  readonly waitSeconds: number;
  /** Names and patterns, comma-separated; undefined for all. */
  readonly events: string | undefined;
  readonly signal: AbortSignal;
}

/** One page of the feed. Rejects with ShopFault. */
export async function readPage(access: ShopAccess, request: PageRequest): Promise<FeedPage> {
  const query = new URLSearchParams({
    after: String(request.after),
    limit: String(request.limit),
    wait: String(request.waitSeconds),
    ...(request.events === undefined ? {} : { event: request.events }),
  });
  const answer = await access.call({
    method: "GET",
    path: `/v2/events?${query.toString()}`,
    timeoutMs: request.waitSeconds * 1000 + SLACK_MS,
    signal: request.signal,
  });
  return toPage(requireSuccess(answer));
}

function toPage(text: string): FeedPage {
  try {
    const page: unknown = JSON.parse(text);
    return {
      events: listMember(thaw(text), "data").map((exact) => readEvent(JSON.stringify(exact))),
      nextAfter: numberMember(page, "next_after"),
      lastSequence: numberMember(page, "last_sequence"),
    };
  } catch (error) {
    throw new ShopFault("The server did not return the event feed of this version of Duka.", {
      cause: error,
    });
  }
}

/** The event in the JSON that the shop wrote. */
export function readEvent(envelope: string): FeedEvent {
  const event: unknown = JSON.parse(envelope);
  return {
    id: textMember(event, "id"),
    name: textMember(event, "event"),
    createdAt: textMember(event, "created_at"),
    subject: subjectOf(member(event, "data")),
    envelope,
  };
}

/** The first string of a payload is the id of its resource, or of the order where a cart never existed. */
function subjectOf(data: unknown): string | null {
  const values: unknown[] = Object.values(Object(data));
  return values.find((value) => typeof value === "string") ?? null;
}

/** Time, name, id and the resource's id on one printable line. */
export function eventLine({ createdAt, name, id, subject }: FeedEvent): string {
  return printable([createdAt, name.padEnd(NAME_WIDTH), id, subject ?? "-"].join("  "));
}
