// News for the pages that are open: what happened, as a stream of server-sent events. It says only which event and
// what it is about; the page asks for the rest itself. A stream ends with its session, its role, or the server.

import { type Asker, Refused } from "#dashboard/kit/asker.ts";
import { isObject } from "#kernel/assume.ts";
import { feedShape } from "#messaging/events/schema.ts";
import type { Shop } from "#platform/database/shop.ts";

/** How often a stream looks whether its session still holds, milliseconds: it ends within a second of it. */
const LOOK_MS = 500;
/** A proxy closes a connection in which nothing moves for a minute. */
const BEAT_MS = 25_000;
/** The least time between two reads: a busy shop does not use up what the person may ask in a minute. */
const PAUSE_MS = 500;
const EVENTS_PER_READ = "100";
const STREAMS_PER_PERSON_MAX = 6;

/** Streams that are open, by person. */
const open = new Map<string, number>();

interface LiveTerms {
  readonly personId: string;
  /** The shop whose news it is. */
  readonly shop: Pick<Shop, "database" | "closing">;
  /** True if the session still holds. */
  readonly holds: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

/**
 * The stream of events after the sequence that the request names. A browser opens one that ended again. Throws
 * `Refused` if the person asks too often.
 */
export async function liveResponse(asker: Asker, terms: LiveTerms): Promise<Response> {
  if (!asker.caller.scopes.has("events:read")) return new Response(null, { status: 403 });
  const leave = enter(terms.personId);
  if (leave === null) return new Response(null, { status: 429 });
  const after = await firstAfter(asker).catch((error: unknown) => {
    leave();
    throw error;
  });
  return new Response(streamOf(asker, { ...terms, after, leave }), {
    headers: {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      // A proxy would collect the stream before it sends it on.
      "X-Accel-Buffering": "no",
    },
  });
}

interface StreamTerms extends LiveTerms {
  readonly after: number;
  /** Gives the place of the stream to another one. */
  readonly leave: () => void;
}

function streamOf(asker: Asker, terms: StreamTerms): ReadableStream<string> {
  const ending = new AbortController();
  const over = AbortSignal.any([ending.signal, asker.request.signal, terms.shop.closing]);
  let isCancelled = false;
  return new ReadableStream<string>({
    start: (controller) => {
      const write = (text: string) => {
        if (!isCancelled) controller.enqueue(text);
      };
      write("retry: 3000\n\n");
      // The server stops once its streams have closed: none is closed that still reads.
      void Promise.all([
        whileItHolds(terms.holds, over).finally(() => ending.abort()),
        sendNews(asker, { ...terms, write, over }).finally(() => ending.abort()),
      ])
        .catch((error: unknown) => {
          // A person who asks too often is answered when the browser opens the stream again.
          if (!(error instanceof Refused)) terms.onFault(error);
        })
        .finally(() => {
          terms.leave();
          if (!isCancelled) controller.close();
        });
    },
    cancel: () => {
      isCancelled = true;
      ending.abort();
    },
  });
}

/** Counts the stream of the person, and returns what takes it off again; null if there are as many as may be. */
function enter(person: string): (() => void) | null {
  const before = open.get(person) ?? 0;
  if (before >= STREAMS_PER_PERSON_MAX) return null;
  open.set(person, before + 1);
  return () => {
    const left = (open.get(person) ?? 1) - 1;
    if (left === 0) open.delete(person);
    else open.set(person, left);
  };
}

async function whileItHolds(holds: () => Promise<boolean>, over: AbortSignal): Promise<void> {
  while (!over.aborted && (await holds())) await rest(LOOK_MS, over);
}

interface NewsTerms extends Pick<LiveTerms, "shop"> {
  readonly after: number;
  readonly write: (text: string) => void;
  readonly over: AbortSignal;
}

/** Writes what happens, until it is over. */
async function sendNews(asker: Asker, terms: NewsTerms): Promise<void> {
  const { shop, write, over } = terms;
  let { after } = terms;
  let bell = Promise.withResolvers<void>();
  const unsubscribe = shop.database.onAnnounced(() => bell.resolve());
  try {
    while (!over.aborted) {
      // Before the read: what is committed meanwhile rings for the next one.
      bell = Promise.withResolvers<void>();
      const query = { after: String(after), limit: EVENTS_PER_READ };
      const feed = await asker.ask(feedShape, "GET /v2/events", { query });
      for (const { sequence, event, data } of feed.data) {
        const subject = isObject(data) ? (data["order_id"] ?? data["id"]) : null;
        write(`id: ${sequence}\ndata: ${JSON.stringify({ sequence, event, subject })}\n\n`);
      }
      after = feed.next_after;
      await rest(PAUSE_MS, over);
      if (feed.has_more) continue;
      await rest(BEAT_MS, over, bell.promise);
      write(":\n\n");
    }
  } finally {
    unsubscribe();
  }
}

/** Resolves after so many milliseconds, once it is over, or when it is woken. */
async function rest(milliseconds: number, over: AbortSignal, woken?: Promise<void>): Promise<void> {
  if (over.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, milliseconds);
  over.addEventListener("abort", end);
  await (woken === undefined ? promise : Promise.race([promise, woken]));
  clearTimeout(timer);
  over.removeEventListener("abort", end);
}

/** A browser that opens the stream again says what it heard last. A shop that was reset counts from the beginning. */
async function firstAfter(asker: Asker): Promise<number> {
  const { headers, url } = asker.request;
  const query = { limit: "1" };
  const { last_sequence: last } = await asker.ask(feedShape, "GET /v2/events", { query });
  const said = headers.get("last-event-id") ?? new URL(url).searchParams.get("after") ?? "";
  return /^\d{1,15}$/.test(said) ? Math.min(Number(said), last) : last;
}
