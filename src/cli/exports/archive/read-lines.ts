// The lines of an archive: the rows of the interface as a secret key with every scope is told them, a page at a time.

import { routes } from "#interface.ts";
import { assume, isObject } from "#kernel/assume.ts";
import type { Page } from "#kernel/page.ts";
import { nextTurn } from "#kernel/time.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import { readFeed } from "#messaging/events/read-feed.ts";
import { eventWire } from "#messaging/events/schema.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { writerOf } from "#platform/http/calls/bound-route.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { expandScopes } from "#shop/keys/scopes.ts";

import { type Parent, type Resource, resources, type WireRow } from "./resources.ts";

/** As many as a page of the interface has at most. */
const PAGE_ROWS = 100;

/** The shop as it was at one moment. */
export interface Moment {
  /** A reader of one snapshot, which opens what is sealed. */
  readonly db: Reader;
  readonly mode: Mode;
  /** The shop's time, epoch milliseconds: prices of carts depend on it. */
  readonly now: number;
}

/** Pages of lines, each the JSON text of a row. */
export type Lines = AsyncGenerator<readonly string[]>;

/** The lines of a resource, in the order of its list. */
export async function* readLines(moment: Moment, resource: Resource): Lines {
  const { operationId, of } = resource;
  const route = routeOf(operationId);
  if (of !== undefined) yield* readBelow(moment, resource, of);
  else if (route.kind === "read") yield* readOne(moment, route);
  else yield* readPages(moment, route, {});
}

/** The lists that the rows of the parent have, one after the other. */
async function* readBelow(moment: Moment, { operationId, lineOf }: Resource, of: Parent): Lines {
  const route = routeOf(operationId);
  const above = resources.find(({ name }) => name === of.name);
  const [parameter = ""] = Object.keys(route.params);
  if (above === undefined) throw new Error(`There is no resource ${of.name}.`);
  for await (const row of rowsOf(readLines(moment, above))) {
    if (of.has?.(row) === false) continue;
    const pages = readPages(moment, route, { [parameter]: String(row[of.id]) });
    for await (const lines of pages) {
      yield lineOf === undefined
        ? lines
        : lines.map((line) => JSON.stringify(lineOf(rowOf(line), row)));
    }
  }
}

async function* rowsOf(pages: Lines): AsyncGenerator<WireRow> {
  for await (const lines of pages) yield* lines.map(rowOf);
}

/** The lines of all events, oldest first. */
export async function* readEventLines({ db, mode }: Moment): Lines {
  const origin = await getOrigin(db, mode);
  for (let after = 0, hasMore = true; hasMore;) {
    await nextTurn();
    const feed = await readFeed(db, { after, patterns: undefined, limit: PAGE_ROWS });
    yield feed.events.map((event) => eventWire.write({ ...event, ...origin }));
    ({ nextAfter: after, hasMore } = feed);
  }
}

/** The route of a list or a resource that an archive has. */
export function routeOf(operationId: string): AnyRoute {
  const found = routes.find((route) => route.operationId === operationId);
  if (found?.kind !== "list" && found?.kind !== "read") {
    throw new Error(`${operationId} is no route that only reads.`);
  }
  return found;
}

/** The row of a line. */
function rowOf(line: string): WireRow {
  const row: unknown = JSON.parse(line);
  return isObject(row) ? row : {};
}

async function* readOne(moment: Moment, route: AnyRoute): Lines {
  const answered = await route.handler(moment.db, inputOf(moment, {}, null));
  yield [writerOf({ route, view: null })(answered)];
}

async function* readPages(
  moment: Moment,
  route: AnyRoute,
  params: Readonly<Record<string, string>>,
): Lines {
  const write = writerOf({ route, view: null });
  for (let after: string | null = null, hasMore = true; hasMore;) {
    await nextTurn();
    // The cast holds: the handler of a list answers a page.
    const page: Page<unknown> = assume<Page<unknown>>(
      await route.handler(moment.db, inputOf(moment, params, after)),
    );
    if (page.rows.length > 0) yield page.rows.map(write);
    const last = page.rows.at(-1);
    after = page.end ?? (last === undefined ? null : route.cursorOf(last));
    hasMore = page.hasMore && after !== null;
  }
}

/** The input of a list's handler for a request without filters. */
function inputOf(
  { mode, now }: Moment,
  params: Readonly<Record<string, string>>,
  after: string | null,
) {
  return { params, query: {}, page: { limit: PAGE_ROWS, after }, caller: callerIn(mode), now };
}

function callerIn(mode: Mode): Caller {
  return {
    actor: { type: "operator", id: "" },
    name: "duka export archive",
    lineage: "",
    hasPresetFull: true,
    mode,
    scopes: expandScopes(["full"]),
    isPublic: false,
    ratePerMinute: null,
    expiresAt: null,
  };
}
