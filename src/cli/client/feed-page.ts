// Reads the feed of a shop. Invariant: an event is kept as the bytes it was announced with, so that
// whoever gets it from here gets what a webhook would have brought.

import { listMember, member, textMember } from "#cli/operator/members.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";

import type { ShopAccess } from "./shop-access.ts";
import { requireSuccess } from "./shop-answer.ts";
import { ShopFault } from "./shop-fault.ts";

/** What a proxy or a busy machine may add to the time a page was waited for. */
const PATIENCE_MS = 15_000;

export interface FeedEvent {
  readonly id: string;
  readonly name: string;
  /** As the shop has it, ISO 8601. */
  readonly createdAt: string;
  /** The id of what it is about. */
  readonly subject: string | null;
  /** The event as minified JSON, every number with its digits. */
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
  /** Names and patterns, comma-separated; all where nothing is said. */
  readonly events: string | undefined;
  readonly signal: AbortSignal;
}

/** A piece of the feed. Rejects with a sentence where there is none. */
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
    timeoutMs: request.waitSeconds * 1000 + PATIENCE_MS,
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
    throw new ShopFault("The answer is not the feed of a Duka of this version.", { cause: error });
  }
}

/** An event as the shop wrote it. */
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

/** A payload begins with the id of what it is about; a cart that was never one, with its order's. */
function subjectOf(data: unknown): string | null {
  const values: unknown[] = Object.values(Object(data));
  return values.find((value) => typeof value === "string") ?? null;
}

function numberMember(value: unknown, name: string): number {
  const found = member(value, name);
  if (typeof found !== "number") throw new TypeError(`There is no number "${name}".`);
  return found;
}
