// The order of steps for every request: request id, preflight, route, key, scope, rate limit, 404
// or 405, media type, size, strict JSON, schema, idempotency, handler, response.

import { type Refusal, validationFailed } from "#kernel/refusal.ts";
import { type Clock, monotonicMs } from "#kernel/time.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import {
  type BoundRoute,
  expectedVersion,
  type RoutesOfPath,
} from "#platform/http/contract/bound-route.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { pageRequest } from "#platform/http/contract/listing.ts";
import { readParams } from "#platform/http/contract/path.ts";
import { type Call, perform } from "#platform/http/contract/perform.ts";
import {
  apiKeyInvalid,
  internalError,
  methodNotAllowed,
  routeNotFound,
  serverBusy,
  storageLow,
} from "#platform/http/contract/refusals.ts";
import { type AnyRoute, mayUse, scopeRefusal } from "#platform/http/contract/route.ts";
import { idempotentRequest } from "#platform/http/idempotency/idempotency.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import { readContacts } from "#platform/http/intake/contacts.ts";
import { readDays } from "#platform/http/intake/days.ts";
import { bodyTerms, readBody } from "#platform/http/json/read-body.ts";
import { type Reach } from "#platform/net/target-url.ts";
import { version } from "#platform/process/version.ts";

import { type Answer, asRefusal, problem, type ProblemTerms } from "./answer.ts";
import type { AuditPort } from "./audit/audit-port.ts";
import {
  corsHeaders,
  isForTestKeys,
  isPreflight,
  preflightHeaders,
  RefusedOrigins,
} from "./cors.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { AddressLimits, type AddressTerms } from "./limits/address-limits.ts";
import { knownMethod, requestIdOf, searchOf } from "./request-head.ts";
import { toResponse } from "./response.ts";
import { isInterface } from "./router.ts";

export interface DispatchOptions extends GateOptions {
  /** Receives the bodies of all requests to the server. */
  readonly bodies: Bodies;
  /** Whether the disk has room for more than live orders. */
  readonly hasRoom: () => boolean;
  readonly shopOf: (mode: Mode) => Shop;
  /** The country of phones that are written without a country code; null if there is none. */
  readonly countryOf: (shop: Shop) => Promise<string | null>;
  /** The time zone of days in filters of lists. */
  readonly timezoneOf: (shop: Shop) => Promise<string>;
  /** How publishable keys are limited by client address. */
  readonly addressTerms: AddressTerms;
  readonly corsOrigins: readonly string[];
  /** Called once for each origin whose pages may not call the API, up to a limit. */
  readonly onOriginRefused?: (origin: string) => void;
  /** The server's public URL; empty until it listens. */
  readonly publicUrl: () => string;
  /** Where webhooks of test mode may go. */
  readonly testReach: Reach;
  /** The machine's clock: the retention of stored answers does not depend on the shop's clock. */
  readonly retentionClock: Clock;
  readonly audit: AuditPort;
  readonly onFault: (error: unknown, requestId: string) => void;
  /** Called for each response; `route` is the path pattern, null if none matched. */
  readonly onAnswered?: (answered: Answered) => void;
}

/** A completed request, for metrics. */
export interface Answered {
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** The router's match: the routes of the path, or null, and its parameters. */
export interface Found {
  readonly routes: RoutesOfPath | null;
  readonly path: string;
  readonly params: Readonly<Record<string, string | null | undefined>>;
}

const ALLOWED_ORIGIN = "Access-Control-Allow-Origin";

/** Sent with every response to a request, also with refusals. */
interface ResponseContext {
  readonly requestId: string;
  /** Whether the caller is a stranger, or not known yet. */
  isPublic: boolean;
  readonly headers: Record<string, string>;
}

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #gate: Gate;
  readonly #addresses: AddressLimits;
  readonly #refusedOrigins: RefusedOrigins;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#gate = new Gate(options);
    this.#addresses = new AddressLimits(options.addressTerms);
    this.#refusedOrigins = new RefusedOrigins((origin) => options.onOriginRefused?.(origin));
  }

  /** Responds to a request of the API; never throws. */
  async respond(request: Request, found: Found): Promise<Response> {
    const beganAtMs = monotonicMs();
    const requestId = requestIdOf(request);
    const cors = corsHeaders(this.#options.corsOrigins, request.headers.get("origin"));
    if (cors[ALLOWED_ORIGIN] === undefined) this.#refusedOrigins.report(request);
    const headers: Record<string, string> = {
      "X-Duka-Version": version,
      ...cors,
      "X-Request-Id": requestId,
    };
    if (this.#options.corsOrigins.length > 0 && isPreflight(request)) {
      return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders } });
    }
    const answer = await this.#answerOrRefuse(request, found, {
      requestId,
      isPublic: true,
      headers,
    });
    if (!(await this.#options.bodies.discard(request))) headers["Connection"] = "close";
    const response = toResponse(request, answer, headers);
    this.#options.onAnswered?.({
      method: knownMethod(request.method),
      route: found.routes?.values().next().value?.route.path ?? null,
      status: response.status,
      durationMs: monotonicMs() - beganAtMs,
    });
    return response;
  }

  async #answerOrRefuse(request: Request, found: Found, context: ResponseContext): Promise<Answer> {
    try {
      return await this.#answer(request, found, context);
    } catch (error) {
      return problem(this.#reported(error, context.requestId), this.#problemTerms(context));
    }
  }

  async #answer(request: Request, found: Found, context: ResponseContext): Promise<Answer> {
    if (!isInterface(found.path)) throw routeNotFound();
    const caller = await this.#gate.authenticate(request);
    context.isPublic = caller.isPublic;
    this.#requireOrigin(request, caller, context);
    Object.assign(context.headers, this.#gate.rateHeaders(caller));
    // First, so that what an address is refused takes nothing from the key's other visitors.
    await this.#addresses.admit(request, caller);
    const routes = routesFor(caller, found.routes);
    const route = routes?.get(methodOf(request));
    if (route !== undefined && !mayUse(caller, route.route)) throw scopeRefusal(route.route);
    Object.assign(context.headers, this.#gate.admit(caller));
    if (routes === null) throw routeNotFound();
    if (request.method === "OPTIONS") {
      return { status: 204, headers: { Allow: allow(routes) }, text: "" };
    }
    if (route === undefined) throw methodNotAllowed({ headers: { Allow: allow(routes) } });
    const call = await this.#read(request, { found, route, caller, context });
    const by = { limit: route.route.perAddress, request, caller };
    return this.#addresses.limited(by, (take) => perform({ ...call, take }));
  }

  /** Refuses a live key in a page of an origin that is allowed for test keys. */
  #requireOrigin(request: Request, caller: Caller, { headers }: ResponseContext): void {
    const isForTest = isForTestKeys(this.#options.corsOrigins, request.headers.get("origin"));
    if (!isForTest || caller.mode === "test") return;
    delete headers[ALLOWED_ORIGIN];
    this.#refusedOrigins.report(request);
    throw apiKeyInvalid({
      detail: "Pages of this origin may use test keys only.",
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }

  async #read(
    request: Request,
    to: { found: Found; route: BoundRoute; caller: Caller; context: ResponseContext },
  ): Promise<Call> {
    const { found, route, caller, context } = to;
    const query = route.readQuery(searchOf(request.url), caller);
    const isRead = route.route.method === "GET";
    const shop = this.#options.shopOf(caller.mode);
    if (!isRead) this.#requireRoom(route.route, caller);
    const body = isRead
      ? {}
      : route.dropNulls(await readBody(request, this.#options.bodies, bodyTerms(caller)));
    if (!isRead) {
      const contacts = route.contactsOf(body);
      if (contacts.length > 0) await readContacts(contacts, () => this.#options.countryOf(shop));
      const faults = route.bodyFaults(body, caller);
      if (faults.length > 0) throw validationFailed({ faults });
    }
    const idempotent = isRead
      ? null
      : idempotentRequest(request.headers.get("idempotency-key"), {
          method: route.route.method,
          path: found.path,
          search: searchOf(request.url),
          body,
          caller,
        });
    return {
      route: route.route,
      view: route.viewFor(caller),
      shop,
      path: found.path,
      publicUrl: this.#options.publicUrl(),
      retentionClock: this.#options.retentionClock,
      recordAct: this.#options.audit.record,
      clientNetwork: () => this.#options.audit.networkOf(request),
      query,
      problemTerms: this.#problemTerms(context),
      idempotent,
      input: {
        params: readParams(route.route.params, found.params),
        query:
          route.route.kind === "list"
            ? await readDays(query, () => this.#options.timezoneOf(shop))
            : query,
        body,
        page: pageRequest(route.route, { query, path: found.path, mode: caller.mode }),
        caller,
        publicUrl: this.#options.publicUrl(),
        ifMatch: expectedVersion(request.headers.get("if-match")),
        testReach: this.#options.testReach,
        requestsPerMinute: this.#options.requestsPerMinute,
        now: shop.clock.now(),
        idempotent,
      },
    };
  }

  /** What is deleted makes room. */
  #requireRoom({ method }: AnyRoute, { mode, isPublic }: Caller): void {
    if ((mode === "live" && !isPublic) || method === "DELETE" || this.#options.hasRoom()) return;
    throw storageLow({ headers: { "Retry-After": "60" } });
  }

  /**
   * Logs a bug with its request id; the caller gets only that id. What strangers can cause at will, a
   * busy server and a low disk, makes no line.
   */
  #reported(error: unknown, requestId: string): Refusal {
    const refusal = asRefusal(error);
    const { definition } = refusal;
    const isOwn = definition === internalError || definition.kind === "unavailable";
    const isExpected = definition === serverBusy || definition === storageLow;
    if (isOwn && !isExpected) this.#options.onFault(error, requestId);
    return refusal;
  }

  #problemTerms({ requestId, isPublic }: ResponseContext): ProblemTerms {
    return { requestId, isPublic, errorsUrl: `${this.#options.publicUrl()}/docs/errors` };
  }
}

/** Routes that only test mode has do not exist for live keys. */
function routesFor(caller: Caller, routes: RoutesOfPath | null): RoutesOfPath | null {
  const isHidden = (bound: BoundRoute) => bound.route.isTestOnly && caller.mode === "live";
  return routes === null || [...routes.values()].some(isHidden) ? null : routes;
}

/** HEAD is handled as GET; the server omits the body. */
function methodOf(request: Request): string {
  return request.method === "HEAD" ? "GET" : request.method;
}

function allow(routes: RoutesOfPath): string {
  const methods = [...routes.keys()].flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  return [...methods, "OPTIONS"].join(", ");
}
