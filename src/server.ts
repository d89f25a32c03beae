// Joins the two shops of a data directory, the API, and the HTTP server.

import type { CommandUsage } from "#guides/fill-guide.ts";
import { realClock } from "#kernel/time.ts";
import type { Courier } from "#messaging/webhooks/worker/courier.ts";
import { planPolls } from "#payments/attempts/plan-polls.ts";
import { type Config, publicUrlAt } from "#platform/config/config.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { FilesShared, takeBackAccess, type TakenBack } from "#platform/data-directory/own-files.ts";
import { engine } from "#platform/database/engine.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import type { Authenticate } from "#platform/http/contract/caller.ts";
import { listen } from "#platform/http/http-server.ts";
import { SharedRate } from "#platform/http/limits/shared-rate.ts";
import type { DocsOptions } from "#platform/http/openapi/docs.ts";
import type { Log } from "#platform/log/log.ts";
import { openMetrics } from "#platform/metrics/metrics.ts";
import { operatorDoor } from "#platform/metrics/operator-door.ts";
import { addressBlock, isLoopback, isWithin, networkOf } from "#platform/net/addresses.ts";
import { clientReader } from "#platform/net/client-reader.ts";
import { diskReserve, type DiskRoom, diskRoomOf } from "#platform/process/disk-reserve.ts";
import { version } from "#platform/process/version.ts";
import { timerStatus } from "#platform/scheduler/timer-status.ts";
import type { TimerRunner, TimerWork } from "#platform/scheduler/timers.ts";
import { type Commands, serveAdministration } from "#platform/socket/serve-administration.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { withSandbox } from "#sandbox/with-sandbox.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { authenticator } from "#shop/keys/authenticate.ts";
import { createFirstKey } from "#shop/keys/create-first-key.ts";
import { hasKeys } from "#shop/keys/lookups.ts";
import { getStore } from "#shop/store/get-store.ts";
import { limitsHold } from "#shop/store/public-limits.ts";

import { openBackground } from "./background.ts";
import { document, refusals, routes } from "./interface.ts";
import { mountOpen, type OpenServing } from "./open-routes.ts";
import { type OpeningTerms, type OpenShop, openShops, type Shops } from "./open-shops.ts";
import { addShopGauges } from "./shop-gauges.ts";

export interface ServerTerms extends OpeningTerms {
  /** Reads the disk of the databases; by default that of the data directory. */
  readonly readDisk?: () => DiskRoom;
  /** Kinds of timers besides the shop's own. */
  readonly timers?: readonly TimerWork<OpenShop>[];
  /**
   * The commands that an administrator may send to the running server; none by default. The address
   * is where a program on this machine reaches the server, empty until it listens.
   */
  readonly commands?: (shops: Shops, address: () => string) => Commands;
  /** The commands of the command line, for the guide that lists them. */
  readonly commandUsages?: readonly CommandUsage[];
}

/** A running Duka. */
export interface Duka {
  readonly url: string;
  readonly shops: Shops;
  readonly timers: Readonly<Record<Mode, TimerRunner<OpenShop>>>;
  readonly couriers: Readonly<Record<Mode, Courier>>;
  /** The API key made at the first start; it cannot be shown again. */
  readonly firstKey: string | null;
  /** Finishes requests in flight, then closes everything. */
  stop(): Promise<void>;
}

/** Starts serving. If it throws, everything it opened is closed again. */
export async function startDuka(config: Config, terms: ServerTerms): Promise<Duka> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockDataDirectory(config.dataDirectory));
  const { log, timers = [] } = terms;
  const access = narrowAccess(config, log);
  const metrics = openMetrics({ version, engine });
  const onCommit = metrics.countCommit;
  const { returnHosts } = config.http;
  const { dataDirectory: directory, secretKey, server: databaseServer, testReach } = config;
  const place = { directory, server: databaseServer };
  const opening = { ...terms, secretKey, onCommit, returnHosts, testReach };
  const bare = opened.use(await openShops(place, opening));
  await refuseShared(access, bare.live, log);
  const background = openBackground(bare, { config, log, timers });
  const { runners, couriers } = background;
  const followers = [couriers.test];
  const power = { clock: bare.movableClock, runner: runners.test, followers, log };
  const shops = { test: withSandbox(bare.test, power), live: bare.live };
  const state = { isStopping: false, url: "", address: "" };
  opened.use(
    serveAdministration({
      directory,
      log,
      commands: terms.commands?.(shops, () => state.address) ?? {},
    }),
  );
  addShopGauges(metrics, shops, config.modes);
  const share = bare.live.database.isShared ? sharedRates(shops, log) : null;
  for (const mode of modes) if (share !== null) opened.use(share[mode]);
  const facts = { commandUsages: terms.commandUsages, securityContact: config.securityContact };
  const hasRoom = roomOf(config, terms);
  const served = config.modes;
  const serving = { shops, runners, metrics, state, log, share, hasRoom, served, ...facts };
  const server = serveHttp(config, serving);
  state.url = publicUrlAt(config, server.port);
  state.address = addressAt(config, server.port);
  bare.address.url = state.url;
  if (bare.live.database.isShared && config.publicUrl === null) {
    log.warn("Set the same DUKA_PUBLIC_URL for every program that shares this shop.", {
      url: state.url,
    });
  }
  const firstKey = await beginAt(state.url, shops, served);
  background.start();
  const running = opened.move();
  return {
    url: state.url,
    shops,
    timers: runners,
    couriers,
    firstKey,
    stop: async () => {
      state.isStopping = true;
      bare.beginClosing();
      const withinMs = config.listen.shutdownMs;
      await Promise.all([server.stop(withinMs), background.stop(withinMs)]);
      await running.disposeAsync();
    },
  };
}

/** Takes the access of other users from the files, unless the operator gave it to them. */
function narrowAccess(config: Config, log: Log): TakenBack {
  if (config.allowSharedFiles) return { narrowed: [], shared: [] };
  const access = takeBackAccess(config.dataDirectory);
  const { narrowed } = access;
  if (narrowed.length > 0) {
    log.warn("Other users had access to files of the shop; it was taken from them.", { narrowed });
  }
  return access;
}

/** Throws FilesShared for a live shop; a shop without live keys has no customers yet. */
async function refuseShared({ shared }: TakenBack, live: OpenShop, log: Log): Promise<void> {
  if (shared.length === 0) return;
  if (await hasKeys(live.database.read)) throw new FilesShared(shared);
  log.warn("Other users have access to files of the shop. A live shop would not start.", {
    shared,
  });
}

/** Writes what the address and a restart change. The first key of the shop, if it is made now. */
async function beginAt(url: string, shops: Shops, served: readonly Mode[]): Promise<string | null> {
  for (const mode of modes) {
    await shops[mode].database.write((tx) => openLinks(tx, url));
    await shops[mode].database.write((tx) => planPolls(tx));
  }
  // Last: a key that is made before a failed start would never be shown.
  if (!served.includes("test")) return null;
  return shops.test.database.write((tx) => createFirstKey(tx));
}

/**
 * The server's own address, without a proxy in front of it. With TLS, the name in the public URL,
 * because the certificate is issued for it.
 */
function addressAt(config: Config, port: number): string {
  return publicUrlAt(config.listen.tls === null ? { ...config, publicUrl: null } : config, port);
}

interface Serving extends OpenServing {
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

/** The databases of a PostgreSQL server are on disks that this program does not see. */
function roomOf(config: Config, { readDisk }: ServerTerms): () => boolean {
  if (config.server !== null) return () => true;
  const read = readDisk ?? (() => diskRoomOf(config.dataDirectory));
  return diskReserve({ reserveMib: config.diskReserveMib, read });
}

function sharedRates(shops: Shops, log: Log): Readonly<Record<Mode, SharedRate>> {
  const onFault = (error: unknown) =>
    log.error("A shared rate limit could not be updated.", { error });
  return {
    test: new SharedRate({ database: shops.test.database, onFault }),
    live: new SharedRate({ database: shops.live.database, onFault }),
  };
}

/** Built on first use, so that the start does not wait for the documentation. */
function docsAt(url: () => string): DocsOptions {
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

const ORIGIN_REFUSED =
  "DUKA_CORS_ORIGINS does not allow the origin of a page, or only with a test key.";

function addressTerms(
  { http }: Config,
  shops: Shops,
  clientOf: (request: Request, peer: string) => string,
): Parameters<typeof listen>[0]["addressTerms"] {
  return {
    readsPerMinute: http.addressReadsPerMinute,
    writesPerMinute: http.addressWritesPerMinute,
    countedAddressOf: (request, peer) => {
      const client = clientOf(request, peer);
      const isOurs = isLoopback(client) || isWithin(client, http.storefrontServers);
      return isOurs ? null : addressBlock(client);
    },
    // Only a test shop can differ, so a live request reads nothing.
    areEnforcedFor: async (caller) =>
      caller.mode === "live" || limitsHold(await getStore(shops.test.database.read), caller),
  };
}

function serveHttp(config: Config, serving: Serving) {
  const { shops, runners, metrics, state, log, share } = serving;
  const clientOf = clientReader(config.http.trustedProxies, log);
  return listen({
    routes,
    docs: docsAt(() => state.url),
    ...config.listen,
    requestsPerMinute: config.http.requestsPerMinute,
    ...(share === null ? {} : { share }),
    corsOrigins: config.http.corsOrigins,
    onOriginRefused: (origin) => log.warn(ORIGIN_REFUSED, { origin }),
    endsTls: config.listen.tls !== null,
    onRenewed: (validTo) => log.info("A new certificate is in use.", { valid_to: validTo }),
    onCertificateFault: (error) => log.error("A new certificate cannot be used.", { error }),
    hasRoom: serving.hasRoom,
    shopOf: (mode) => shops[mode],
    timezoneOf: async ({ database }) => (await getStore(database.read)).timezone,
    countryOf: async ({ database }) => (await getStore(database.read)).country,
    publicUrl: () => state.url,
    testReach: config.testReach,
    retentionClock: realClock,
    authenticate: authenticateServed(serving),
    audit: {
      record: recordAct,
      networkOf: (request, peer) => networkOf(clientOf(request, peer)),
    },
    addressOf: (request, peer) => addressBlock(clientOf(request, peer)),
    addressTerms: addressTerms(config, shops, clientOf),
    onFault: (error, requestId) => log.error("A request failed.", { error, request_id: requestId }),
    onAnswered: ({ route, ...answered }) =>
      metrics.countAnswer({ ...answered, route: route ?? "unknown" }),
    addOpen: (app, doors) => mountOpen(app, doors, serving),
    isOperator: operatorDoor({
      token: config.metricsToken,
      isProxied: config.http.trustedProxies.length > 0,
    }),
    readiness: async () => {
      const isWritable = modes.every((mode) => shops[mode].database.isWritable());
      const isReady = isWritable && !state.isStopping;
      const statuses = isReady ? await timerStatus(runners) : [];
      return {
        ready: isReady,
        details: { engine },
        inside: {
          version,
          modes: config.modes,
          writable: isWritable,
          timers: statuses.filter(({ mode }) => config.modes.includes(mode)),
          stopping: state.isStopping,
        },
      };
    },
  });
}
