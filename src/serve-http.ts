// Joins the interface, the pages and the checks to the HTTP server.

import { join } from "node:path";

import { isUnavailable } from "#kernel/refusal.ts";
import { realClock } from "#kernel/time.ts";
import { type Config, isExposed, isPublic } from "#platform/config/config.ts";
import { engine } from "#platform/database/engine.ts";
import { type Mode, modes, type Shop } from "#platform/database/shop.ts";
import type { Authenticate } from "#platform/http/contract/caller.ts";
import { SharedRate } from "#platform/http/limits/shared-rate.ts";
import type { DocsOptions } from "#platform/http/openapi/docs.ts";
import type { Answered } from "#platform/http/server/dispatch.ts";
import { betweenChecks, listen } from "#platform/http/server/listen.ts";
import type { Served } from "#platform/http/server/served.ts";
import { addressBlock, isLoopback, isWithin, networkOf } from "#platform/net/addresses.ts";
import { clientReader, forwardingWatch } from "#platform/net/client-reader.ts";
import { type Metrics, mountMetrics } from "#platform/operator/metrics.ts";
import { operatorCheck } from "#platform/operator/operator-check.ts";
import { version } from "#platform/process/version.ts";
import { timerStatus } from "#platform/scheduler/timers.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { authenticator } from "#shop/keys/authenticate.ts";
import { wasKeyUsed } from "#shop/keys/lookups.ts";
import { forgettingOperations } from "#shop/requests/request.ts";
import { getStore } from "#shop/store/lookups.ts";
import { cacheSecondsOf, limitsHold } from "#shop/store/public-limits.ts";

import type { OpenServing } from "./open-routes.ts";
import type { OpenShop, Shops } from "./open-shops.ts";
import { backupAges } from "./shop-gauges.ts";

/** The shops as requests work on them, and what fires their timers. */
type Working = Pick<OpenServing, "shops" | "runners">;

export interface Serving extends Omit<OpenServing, "networkOf" | "dashboardUrl" | "runners"> {
  /** Loads the work of the shops, which no health check waits for. */
  readonly work: () => Promise<Working>;
  readonly state: { readonly isStopping: boolean; readonly url: string };
  /** The rate limits shared with other programs on the same databases; null if there are none. */
  readonly share: Readonly<Record<Mode, SharedRate>> | null;
}

/** A key of a mode that is not served is like no key. */
function authenticateServed({ shops, served, log }: Serving): Authenticate {
  const databases = { test: shops.test.database, live: shops.live.database };
  const authenticate = authenticator(databases, realClock, (error) =>
    log.error("The last use of an API key could not be saved.", { error }),
  );
  return async (key) => {
    const caller = await authenticate(key);
    return caller !== null && served.includes(caller.mode) ? caller : null;
  };
}

/** The interface and the pages, which no health check waits for. */
async function loadServed(
  work: () => Promise<Working>,
  given: Omit<OpenServing, keyof Working>,
): Promise<Served<OpenShop>> {
  const { document, refusals, routes, peopleRoutes } = await betweenChecks(
    () => import("./interface.ts"),
  );
  const { mountOpen } = await betweenChecks(() => import("./open-routes.ts"));
  const serving = { ...given, ...(await work()) };
  return {
    routes: [...routes, ...peopleRoutes],
    shopOf: (mode) => serving.shops[mode],
    docs: docsAt(() => serving.state.url, { document, refusals }),
    addOpen: (app, terms) => mountOpen(app, terms, serving),
  };
}

type Interface = Pick<typeof import("./interface.ts"), "document" | "refusals">;

/** Built on first use, so that no request but one for the documentation waits for it. */
function docsAt(url: () => string, { document, refusals }: Interface): DocsOptions {
  return {
    get document() {
      return document(url());
    },
    get refusals() {
      return refusals();
    },
    get url() {
      return url();
    },
  };
}

/**
 * Resolves to true while the doors of test mode that need no key are open: the example storefront, unsigned messages to
 * the inbox, pages of no origin. They close once a live key was used.
 */
export async function areTestDoorsOpen(
  { modes: served, keepsTestDoors }: Config,
  { live }: Shops,
): Promise<boolean> {
  return served.includes("test") && (keepsTestDoors || !(await wasKeyUsed(live.database.read)));
}

const ORIGIN_REFUSED =
  "DUKA_CORS_ORIGINS does not allow the origin of a page, or only with a test key.";

/**
 * How visitors are told apart. Once strangers reach the server, one that comes from this machine came by a proxy: it is
 * counted, and the operator is told.
 */
function visitorOptions(
  config: Config,
  { shops, log, metrics }: Serving,
  visitorAt: (request: Request, peer: string) => string,
): Pick<Parameters<typeof listen>[0], "visitorTerms" | "onVisit"> {
  const { http } = config;
  const { trustedProxies: trusted, storefrontServers: servers } = http;
  const isOwn = isPublic(config) ? () => false : isLoopback;
  const watch = isPublic(config)
    ? forwardingWatch({ trusted, servers }, log, metrics.countUnforwarded)
    : null;
  const visitorTerms: ReturnType<typeof visitorOptions>["visitorTerms"] = {
    readsPerMinute: http.addressReadsPerMinute,
    writesPerMinute: http.addressWritesPerMinute,
    storefrontPerMinute: http.storefrontPerMinute,
    visitorOf: (request, peer) => {
      watch?.(request, peer);
      const address = visitorAt(request, peer);
      return { address, isCounted: !isOwn(address) && !isWithin(address, servers) };
    },
    signedInId: async (request, { mode }) => {
      const { database, clock } = shops[mode];
      const token = request.headers.get("customer-token");
      if (token === null) return null;
      // Loaded once a customer comes: the first answer needs none of it.
      const { findSignedIn } = await import("#customers/sessions/lookups.ts");
      return (await findSignedIn(database.read, token, clock.now()))?.id ?? null;
    },
    // Only a test shop can differ, so a live request reads nothing.
    areEnforcedFor: async (caller) =>
      caller.mode === "live" || limitsHold(await getStore(shops.test.database.read), caller),
  };
  return watch === null ? { visitorTerms } : { visitorTerms, onVisit: watch };
}

/** The terms that the settings of a shop have for each request. */
const storeTerms = {
  cacheSecondsOf: async ({ database, mode }: Shop) =>
    cacheSecondsOf(await getStore(database.read), mode),
  timezoneOf: async ({ database }: Shop) => (await getStore(database.read)).timezone,
  countryOf: async ({ database }: Shop) => (await getStore(database.read)).country,
};

async function notFoundPage(
  request: Request,
  config: Config,
  { shops, log, state }: Serving,
): Promise<Response> {
  const { answerNotFound } = await import("#pay-page/frame/not-found-page.ts");
  const served = config.modes.map((mode) => shops[mode]);
  const onFault = (error: unknown) =>
    log.error("The page of an unknown address failed.", { error });
  return answerNotFound(served, { request, publicUrl: state.url, onFault });
}

/** Serves `config.listen`; the state says the server's URL once it listens. */
export function serveHttp(config: Config, serving: Serving) {
  const { shops, metrics, state, log, share } = serving;
  const { trustedProxies, storefrontServers } = config.http;
  const clientOf = clientReader(trustedProxies, log, storefrontServers);
  // A server that renders a storefront says whom it serves, as a proxy does.
  const visitorAt = clientReader([...trustedProxies, ...storefrontServers], log);
  const visitorNetwork = (request: Request, peer: string) => networkOf(visitorAt(request, peer));
  return listen({
    load: () =>
      loadServed(serving.work, {
        ...serving,
        dashboardUrl: dashboardUrlOf(config, state),
        networkOf: (request, peer) => networkOf(clientOf(request, peer)),
      }),
    ...config.listen,
    requestsPerMinute: config.http.requestsPerMinute,
    uploadFolder: join(config.dataDirectory, "uploads"),
    ...(share === null ? {} : { share }),
    // The example storefront is a page of no origin.
    cors: { origins: config.http.corsOrigins, allowsNoOrigin: serving.areDoorsOpen },
    onOriginRefused: (origin) => log.warn(ORIGIN_REFUSED, { origin }),
    endsTls: config.listen.tls !== null,
    onRenewed: (validTo) => log.info("A new certificate is in use.", { valid_to: validTo }),
    onCertificateFault: (error) => log.error("A new certificate cannot be used.", { error }),
    hasRoom: serving.hasRoom,
    homePath: homeOf(config),
    notFoundPage: (request) => notFoundPage(request, config, serving),
    ...storeTerms,
    publicUrl: () => state.url,
    testReach: config.testReach,
    retentionClock: realClock,
    authenticate: authenticateServed(serving),
    audit: { record: recordAct, networkOf: visitorNetwork },
    addressOf: (request, peer) => addressBlock(clientOf(request, peer)),
    countsLoopback: isPublic(config),
    ...visitorOptions(config, serving, visitorAt),
    onFault: (error, requestId) => log.error("A request failed.", { error, request_id: requestId }),
    onAnswered: (answered) => {
      countRequest(answered, metrics);
      logRequest(answered, serving);
    },
    onAbuse: (mode, kind, network) => shops[mode].marks.count(kind, network),
    onPerformed: (operationId, mode) => {
      if (forgettingOperations.has(operationId)) shops[mode].requests.forget();
    },
    addOperator: (app, isOperator) => mountMetrics(app, { metrics, isOperator }),
    isOperator: operatorCheck({
      token: config.metricsToken,
      isExposed: isExposed(config),
    }),
    readiness: () => readiness(config, serving),
  });
}

/** Strangers could fill the metrics with names of clients, so those of requests without a valid key are not counted. */
function countRequest(answered: Answered, metrics: Metrics): void {
  const { method, route, operation, status, durationMs, caller, client } = answered;
  metrics.countAnswer({ method, route: route ?? "unknown", status, durationMs });
  if (caller === null) return;
  if (client !== null) metrics.countClient(client);
  if (operation !== null && operation.deprecated !== null) {
    metrics.countDeprecated(operation.operationId);
  }
}

/** A request without a valid key belongs to no mode, and is shown in each. */
function logRequest(answered: Answered, { shops, served }: Serving): void {
  const { caller, status } = answered;
  if (caller !== null) shops[caller.mode].requests.add(answered);
  else if (status === 401) for (const mode of served) shops[mode].requests.add(answered);
}

/** The result of the readiness check, for the health checks and the administrative socket. */
export async function readiness(
  config: Config,
  { shops, work, state }: Pick<Serving, "shops" | "work" | "state">,
) {
  const isOpen = modes.every((mode) => shops[mode].database.isWritable());
  const found = isOpen && !state.isStopping ? await timersOf((await work()).runners) : [];
  const isWritable = isOpen && found !== null;
  return {
    ready: isWritable && !state.isStopping,
    details: { engine },
    inside: async () => ({
      version,
      modes: config.modes,
      writable: isWritable,
      timers: found?.filter(({ mode }) => config.modes.includes(mode)) ?? [],
      stopping: state.isStopping,
      backup_age: isWritable ? await backupAges(config, shops) : {},
    }),
  };
}

/** Null while the database does not answer: an outage is found here before it is noticed elsewhere. */
async function timersOf(runners: Working["runners"]) {
  try {
    return await timerStatus(runners);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

/** The address at which the dashboard is reached; null if it is not served. */
function dashboardUrlOf({ dashboard }: Config, state: Serving["state"]): (() => string) | null {
  return dashboard.isServed ? () => dashboard.url ?? state.url : null;
}

/** The path to which the server's own address leads. */
function homeOf({ dashboard }: Config): string {
  return dashboard.isServed ? `${dashboard.url ?? ""}/dashboard` : "/docs";
}
