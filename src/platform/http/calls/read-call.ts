// Reads a request of a route into the call that is performed: query, body, texts, idempotency, page. All faults
// of the shape are refused at once, before anything is done.

import { validationFailed } from "#kernel/refusal.ts";
import type { Clock } from "#kernel/time.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import type { ProblemTerms } from "#platform/http/contract/answer.ts";
import type { AuditPort } from "#platform/http/contract/audit-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { IdempotentRequest } from "#platform/http/contract/idempotent.ts";
import { readParams } from "#platform/http/contract/path.ts";
import { storageLow } from "#platform/http/contract/refusals.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import { firstWay } from "#platform/http/contract/ways.ts";
import { readTexts, restoreSought } from "#platform/http/intake/texts.ts";
import { type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";
import type { Reach } from "#platform/net/target-url.ts";

import { type BoundRoute, comparesVersions, expectedVersion } from "./bound-route.ts";
import { idempotentRequest } from "./idempotency.ts";
import { pageRequest } from "./listing.ts";
import type { Call } from "./perform.ts";
import { readDays } from "./read-query.ts";
import { sentBackOf } from "./sent-back.ts";

/** The parts of the server that the calls of all routes need. */
export interface CallTerms {
  /** True if the disk has room for more than live orders. */
  readonly hasRoom: () => boolean;
  readonly shopOf: (mode: Mode) => Shop;
  /** The country of phones that are written without a country code; null if there is none. */
  readonly countryOf: (shop: Shop) => Promise<string | null>;
  /** The time zone of days in filters of lists. */
  readonly timezoneOf: (shop: Shop) => Promise<string>;
  /** The server's public URL; empty until it listens. */
  readonly publicUrl: () => string;
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach: Reach;
  /** The machine's clock: the retention of stored answers does not depend on the shop's clock. */
  readonly retentionClock: Clock;
  readonly requestsPerMinute: number;
  readonly audit: AuditPort;
}

/** A request of any kind, before it is read. */
export interface Unread {
  readonly path: string;
  readonly params: Readonly<Record<string, string | null | undefined>>;
  /** With its question mark; empty for none. */
  readonly search: string;
  readonly body: () => Promise<JsonValue>;
  readonly idempotencyKey: string | null;
  /** An entity tag. */
  readonly ifMatch: string | null;
  /** The client's own request. */
  readonly request: Request;
}

interface CallOf {
  readonly route: BoundRoute;
  /** The route of GET at the same path; undefined if there is none. */
  readonly told: BoundRoute | undefined;
  readonly caller: Caller;
  readonly problemTerms: ProblemTerms;
}

/** The call, ready to be performed. Refuses what its shape, its headers or a low disk do not allow. */
export async function readCall(
  terms: CallTerms,
  unread: Unread,
  { route, told, caller, problemTerms }: CallOf,
): Promise<Call> {
  const { path, search, request } = unread;
  const shop = terms.shopOf(caller.mode);
  const query = route.readQuery(search, caller);
  const isRead = route.route.method === "GET";
  if (!isRead) requireRoom(terms, route.route, caller);
  const given = isRead ? {} : await unread.body();
  const read = (one: JsonValue) => readShape(terms, one, { route, caller });
  const sentBack = sentBackOf({ given, told, route, read });
  const body = isRead || sentBack !== null ? given : await read(given);
  const customerToken = request.headers.get("customer-token");
  const idempotent = isRead ? null : idempotentOf(unread, { route, caller, body, customerToken });
  const publicUrl = terms.publicUrl();
  const isList = route.route.kind === "list";
  return {
    route: route.route,
    view: route.viewFor(caller),
    shop,
    path,
    publicUrl,
    retentionClock: terms.retentionClock,
    recordAct: terms.audit.record,
    query,
    problemTerms,
    idempotent,
    sentBack,
    input: {
      params: readParams(route.route.params, unread.params),
      query: isList ? await readDays(query, () => terms.timezoneOf(shop)) : query,
      body,
      page: pageRequest(route.route, { query, path, mode: caller.mode }),
      caller,
      publicUrl,
      ifMatch: expectedVersion(unread.ifMatch, {
        isCompared: isRead || comparesVersions(route.route),
      }),
      testReach: terms.testReach,
      requestsPerMinute: terms.requestsPerMinute,
      now: shop.clock.now(),
      idempotent,
      customerToken,
      orderToken: request.headers.get("order-token"),
      clientNetwork: () => terms.audit.networkOf(request),
    },
  };
}

async function readShape(
  terms: CallTerms,
  given: JsonValue,
  { route, caller }: Pick<CallOf, "route" | "caller">,
): Promise<JsonValue> {
  const body = route.dropNulls(given);
  const texts = route.textsOf(body);
  if (texts.length > 0) {
    await readTexts(texts, () => terms.countryOf(terms.shopOf(caller.mode)));
  }
  const faults = route.bodyFaults(body, caller);
  if (faults.length > 0) throw validationFailed({ faults });
  restoreSought(texts);
  return body;
}

function idempotentOf(
  { idempotencyKey, path, params, search }: Unread,
  {
    route,
    caller,
    body,
    customerToken,
  }: Pick<CallOf, "route" | "caller"> & {
    readonly body: JsonValue;
    readonly customerToken: string | null;
  },
): IdempotentRequest | null {
  const { fleeting, file } = route.route;
  const way = firstWay(route.route);
  // A file is its content: where this machine keeps it meanwhile is another place each time.
  const lasting = without(body, file === null ? fleeting : ["path"]);
  const parts = {
    method: way.method,
    path: route.route.also.length === 0 ? path : filledPath(way.path, params),
    search,
    body: lasting,
    caller,
  };
  return idempotentRequest(idempotencyKey, { ...parts, customerToken });
}

/** The path with its parameters, as a request has it. */
function filledPath(pattern: string, params: Unread["params"]): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}

function without(body: JsonValue, names: readonly string[]): JsonValue {
  const isPlain = typeof body === "object" && body !== null && !Array.isArray(body);
  if (names.length === 0 || !isPlain || body instanceof LossyNumber) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Refuses a request without room, unless it deletes. A file takes more of it than live orders could ever need. */
function requireRoom(
  { hasRoom }: CallTerms,
  { method, file }: AnyRoute,
  { mode, isPublic }: Caller,
): void {
  if ((mode === "live" && !isPublic && file === null) || method === "DELETE" || hasRoom()) return;
  throw storageLow({ headers: { "Retry-After": "60" } });
}
