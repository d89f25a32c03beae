// The order of steps for every request: request id, preflight, route, key, scope, rate limit, 404
// or 405, media type, size, strict JSON, schema, idempotency, handler, response. Pages of this server ask in the
// same way from the scope on, without HTTP around it.

import type { AbuseKind } from "#kernel/abuse.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { monotonicMs } from "#kernel/time.ts";
import { serverBusy } from "#platform/database/errors.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { BoundRoute, RoutesOfPath } from "#platform/http/calls/bound-route.ts";
import { type CacheSeconds, KeptAnswers } from "#platform/http/calls/kept-answers.ts";
import { type Call, perform } from "#platform/http/calls/perform.ts";
import { type CallTerms, readCall, type Unread } from "#platform/http/calls/read-call.ts";
import {
  type Answer,
  asRefusal,
  problem,
  type ProblemTerms,
} from "#platform/http/contract/answer.ts";
import { type Caller, mayUse, scopeRefusal } from "#platform/http/contract/caller.ts";
import { tellDeprecation } from "#platform/http/contract/deprecation.ts";
import {
  apiKeyInvalid,
  internalError,
  methodNotAllowed,
  routeNotFound,
  storageLow,
} from "#platform/http/contract/refusals.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import { receiveBody } from "#platform/http/intake/receive-body.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";
import type { VisitorLimits } from "#platform/http/limits/visitor-limits.ts";
import { isInterface } from "#platform/http/router.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";
import { version } from "#platform/process/version.ts";

import {
  type Asking,
  askingPage,
  corsHeaders,
  type CorsTerms,
  isPreflight,
  preflightHeaders,
  RefusedOrigins,
} from "./cors.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { knownMethod, requestIdOf, searchOf } from "./request-head.ts";
import { toResponse } from "./response.ts";

export interface DispatchOptions extends GateOptions, CallTerms {
  /** Receives the bodies of all requests to the server. */
  readonly bodies: Bodies;
  /** Receives the bodies that are files. */
  readonly uploads: Uploads;
  /** Limits what publishable keys and pages of strangers may do. */
  readonly visitors: VisitorLimits;
  readonly cors: CorsTerms;
  readonly cacheSecondsOf: CacheSeconds;
  /** Called once for each origin whose pages may not call the API, up to a limit. */
  readonly onOriginRefused?: (origin: string) => void;
  readonly onFault: (error: unknown, requestId: string) => void;
  /** Called for each response; `route` is the path pattern, null if none matched. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Called for each answer with which a limit against abuse refused, also to a page of this server. */
  readonly onAbuse?: (mode: Mode, kind: AbuseKind, network: string | null) => void;
  /** Called after each operation that succeeded, also for a page of this server. */
  readonly onPerformed?: (operationId: string, mode: Mode) => void;
}

/** A completed request, for metrics and for the list of requests. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | null;
  /** Null if the path or its method matched none. */
  readonly operation: AnyRoute | null;
  /** Null if the request was not authenticated. */
  readonly caller: Caller | null;
  /** The client that the request names, such as `js/0.2.0`; null for none. */
  readonly client: string | null;
  readonly path: string;
  /** With its question mark; empty for none. */
  readonly search: string;
  /** The body as it was received; null if none was read. */
  readonly sent: Uint8Array | null;
  readonly answer: Answer;
  readonly status: number;
  readonly durationMs: number;
}

/** A request of a page of this server; `request` is that of the page. */
export interface Asked extends Omit<Unread, "body"> {
  readonly routes: RoutesOfPath;
  readonly method: string;
  readonly body: JsonValue;
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
  /** True if the caller is a stranger, or not known yet. */
  isPublic: boolean;
  readonly headers: Record<string, string>;
  readonly asking: Asking;
  caller: Caller | null;
  sent: Uint8Array | null;
}

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #gate: Gate;
  readonly #visitors: VisitorLimits;
  readonly #refusedOrigins: RefusedOrigins;
  readonly #kept: KeptAnswers;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#gate = new Gate(options);
    this.#kept = new KeptAnswers(options.cacheSecondsOf);
    this.#visitors = options.visitors;
    this.#refusedOrigins = new RefusedOrigins((origin) => options.onOriginRefused?.(origin));
  }

  /** Responds to a request of the API; never throws. */
  async respond(request: Request, found: Found): Promise<Response> {
    const beganAtMs = monotonicMs();
    const requestId = requestIdOf(request);
    const asking = await askingPage(this.#options.cors, request);
    const cors = corsHeaders(this.#options.cors, asking);
    if (cors[ALLOWED_ORIGIN] === undefined) this.#refusedOrigins.report(request);
    const headers: Record<string, string> = {
      "X-Duka-Version": version,
      ...cors,
      "X-Request-Id": requestId,
    };
    if (Object.keys(cors).length > 0 && isPreflight(request)) {
      return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders } });
    }
    const context = { requestId, isPublic: true, headers, caller: null, sent: null, asking };
    const terms = found.routes?.get(methodOf(request))?.route.deprecated ?? null;
    const answered = await this.#answerOrRefuse(request, found, context);
    const answer = tellDeprecation(answered, terms, this.#options.publicUrl());
    this.#countAbuse(answer, request, context);
    const audience = context.isPublic ? "keyless" : "secret";
    const isReusable = await this.#options.bodies.discard(request, audience);
    if (!isReusable) headers["Connection"] = "close";
    const response = toResponse(request, answer, headers);
    const { status } = response;
    this.#options.onAnswered?.(answeredBy(request, found, { context, answer, status, beganAtMs }));
    return response;
  }

  /**
   * The answer of the interface to who asks by a page: scope, rate, schema, idempotency and handler are those of every
   * request, and so are the limits of a stranger. Never throws; a refusal is a problem document.
   */
  async ask(caller: Caller, asked: Asked): Promise<Answer> {
    const answer = await this.#answerInside(caller, asked);
    this.#countAbuse(answer, asked.request, { caller });
    return answer;
  }

  async #answerInside(caller: Caller, asked: Asked): Promise<Answer> {
    const requestId = requestIdOf(asked.request);
    const context = { requestId, isPublic: caller.isPublic };
    try {
      const route = routesFor(caller, asked.routes)?.get(asked.method);
      if (route === undefined) throw routeNotFound();
      if (!mayUse(caller, route.route)) throw scopeRefusal(route.route);
      this.#gate.admit(caller);
      await this.#visitors.admitPage(asked.request, caller);
      const told = asked.routes.get("GET");
      const unread = { ...asked, body: async () => asked.body };
      const problemTerms = this.#problemTerms(context);
      const call = await readCall(this.#options, unread, { route, told, caller, problemTerms });
      return await this.#perform(call, asked.request);
    } catch (error) {
      return problem(this.#reported(error, requestId), this.#problemTerms(context));
    }
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
    context.caller = caller;
    this.#requireOrigin(request, caller, context);
    Object.assign(context.headers, this.#gate.rateHeaders(caller));
    Object.assign(context.headers, await this.#visitors.admit(request, caller));
    const routes = routesFor(caller, found.routes);
    const route = routes?.get(methodOf(request));
    if (route !== undefined && !mayUse(caller, route.route)) throw scopeRefusal(route.route);
    Object.assign(context.headers, this.#gate.admit(caller));
    if (routes === null) throw routeNotFound();
    if (request.method === "OPTIONS") {
      return { status: 204, headers: { Allow: allow(routes) }, text: "" };
    }
    if (route === undefined) throw methodNotAllowed({ headers: { Allow: allow(routes) } });
    const received = (bytes: Uint8Array) => {
      context.sent = bytes;
    };
    await using until = new AsyncDisposableStack();
    const call = await readCall(
      this.#options,
      {
        path: found.path,
        params: found.params,
        search: searchOf(request.url),
        body: () =>
          receiveBody(request, this.#options, { ...route.route, caller, received, until }),
        idempotencyKey: request.headers.get("idempotency-key"),
        ifMatch: request.headers.get("if-match"),
        request,
      },
      { route, told: routes.get("GET"), caller, problemTerms: this.#problemTerms(context) },
    );
    return await this.#perform(call, request, request);
  }

  /** Performs the call within the budgets of its route. `holder` is a client's request, which may name what it has. */
  async #perform(call: Call, request: Request, holder: Request | null = null): Promise<Answer> {
    const { caller, body } = call.input;
    const by = { budgets: call.route.budgets, request, caller, body };
    const answer = await this.#visitors.limited(by, (take) => {
      const taking = { ...call, take };
      return this.#kept.answer(taking, holder, () => perform(taking));
    });
    if (answer.status < 300) {
      this.#options.onPerformed?.(call.route.operationId, call.input.caller.mode);
    }
    return answer;
  }

  /** A replay of a stored answer refuses nothing. */
  #countAbuse(
    { abuse }: Answer,
    request: Request,
    { caller }: Pick<ResponseContext, "caller">,
  ): void {
    if (abuse === undefined || caller === null) return;
    this.#options.onAbuse?.(caller.mode, abuse, this.#options.audit.networkOf(request));
  }

  /** Refuses a key that pages of the request's origin may not use. */
  #requireOrigin(request: Request, caller: Caller, { headers, asking }: ResponseContext): void {
    const { keys } = asking;
    // A page of an origin that is not named reads no answer anyway.
    if (keys === "all" || keys === "none") return;
    if (caller.mode === "test" && (keys === "test" || caller.isPublic)) return;
    delete headers[ALLOWED_ORIGIN];
    this.#refusedOrigins.report(request);
    throw apiKeyInvalid({
      detail: `Pages of this origin may use ${keys} keys only.`,
      headers: { "WWW-Authenticate": "Bearer" },
    });
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

  #problemTerms({
    requestId,
    isPublic,
  }: Pick<ResponseContext, "requestId" | "isPublic">): ProblemTerms {
    return { requestId, isPublic, errorsUrl: `${this.#options.publicUrl()}/docs/errors` };
  }
}

/** A request with what was answered. */
interface Ended {
  readonly context: ResponseContext;
  readonly answer: Answer;
  readonly status: number;
  readonly beganAtMs: number;
}

function answeredBy(
  request: Request,
  { routes, path }: Found,
  { context, answer, status, beganAtMs }: Ended,
): Answered {
  return {
    requestId: context.requestId,
    method: knownMethod(request.method),
    route: routes?.values().next().value?.route.path ?? null,
    operation: routes?.get(methodOf(request))?.route ?? null,
    caller: context.caller,
    client: clientOf(request),
    path,
    search: searchOf(request.url),
    sent: context.sent,
    answer,
    status,
    durationMs: monotonicMs() - beganAtMs,
  };
}

/** A client names itself and its version in `Duka-Client`; any other form is ignored. */
function clientOf(request: Request): string | null {
  return (
    /^[a-z]{1,16}\/\d{1,4}(?:\.\d{1,4}){2}$/.exec(request.headers.get("duka-client") ?? "")?.[0] ??
    null
  );
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
