// The one place where everything is joined: the two shops of a data directory, the routes of all
// nouns, and the server that offers them.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { cartTimers } from "#carts/jobs.ts";
import { openRecovery } from "#carts/open-recovery.ts";
import { cartRoutes } from "#carts/routes.ts";
import { customerRoutes } from "#customers/routes.ts";
import { eventRoutes } from "#events/routes.ts";
import { inventoryRoutes } from "#inventory/routes.ts";
import { newId } from "#kernel/id.ts";
import type { RefusalDefinition } from "#kernel/refusal.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import { authenticator } from "#keys/authenticate.ts";
import { createFirstKey } from "#keys/create-first-key.ts";
import { keyRoutes } from "#keys/routes.ts";
import { orderTimers } from "#orders/jobs.ts";
import { orderRoutes } from "#orders/routes.ts";
import type { Cashier } from "#payments/cashier.ts";
import type { Gateway } from "#payments/gateways/port.ts";
import { simulatedPush } from "#payments/gateways/simulated.ts";
import { paymentTimers } from "#payments/jobs.ts";
import { mountNotices } from "#payments/mount-notices.ts";
import { planLooks } from "#payments/plan-looks.ts";
import { receiveNotice } from "#payments/receive-notice.ts";
import { paymentRoutes } from "#payments/routes.ts";
import { mountRecoveryPage } from "#payments/serve-recovery-page.ts";
import { type Config, publicUrlAt } from "#platform/config/config.ts";
import { version } from "#platform/config/version.ts";
import type { OpenApiDocument } from "#platform/http/docs.ts";
import { explained } from "#platform/http/docs/explained.ts";
import { guide } from "#platform/http/guide.ts";
import { listen } from "#platform/http/http-server.ts";
import { openApiDocument, refusalsOf } from "#platform/http/openapi.ts";
import { pruneAnswersJob } from "#platform/http/prune-answers.ts";
import { methodNotAllowed, routeNotFound } from "#platform/http/refusals.ts";
import type { Route } from "#platform/http/route.ts";
import type { Log } from "#platform/log/log.ts";
import { addressBlock, clientAddress } from "#platform/net/addresses.ts";
import { startScheduler } from "#platform/scheduler/scheduler.ts";
import { ShopClock } from "#platform/scheduler/shop-clock.ts";
import { TimerRunner, type TimerWork } from "#platform/scheduler/timers.ts";
import { toldTimers } from "#platform/scheduler/told-timers.ts";
import { type Commands, serveAdministration } from "#platform/socket/serve-administration.ts";
import { findClockOffset } from "#platform/store/clock-offset.ts";
import { lockDataDirectory } from "#platform/store/lock.ts";
import { openSqliteStore } from "#platform/store/sqlite.ts";
import type { Mode, Shop } from "#platform/store/store.ts";
import { productRoutes } from "#products/routes.ts";
import { magicRoutes } from "#sandbox/magic-routes.ts";
import { sandboxRoutes } from "#sandbox/routes.ts";
import { mountTestPage } from "#sandbox/serve-test-page.ts";
import { withGateways } from "#sandbox/simulated-till.ts";
import { withSandbox } from "#sandbox/with-sandbox.ts";
import { openStore } from "#store/open-store.ts";
import { storeRoutes } from "#store/routes.ts";

export const modes: readonly Mode[] = ["test", "live"];

/** Every route of the interface, in the order of the documentation. */
export const routes: readonly Route[] = [
  ...productRoutes,
  ...inventoryRoutes,
  ...customerRoutes,
  ...cartRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...eventRoutes,
  ...storeRoutes,
  ...keyRoutes,
  ...sandboxRoutes,
  ...magicRoutes,
];

/** What may happen later in the shop. */
const timers: readonly TimerWork[] = [
  ...cartTimers,
  ...orderTimers,
  ...paymentTimers,
  simulatedPush,
];

export type Shops = Readonly<Record<Mode, Cashier>>;

export interface ShopTerms {
  readonly log: Log;
  /** What a shop's clock starts from; the machine's clock where nothing else is said. */
  readonly clockOf?: (mode: Mode) => Clock;
  /** What may happen later, beside what the shop itself has. */
  readonly timers?: readonly TimerWork[];
  /** Who moves the money of a shop, in place of the simulated gateway of test mode. */
  readonly gatewaysOf?: (shop: Shop) => readonly Gateway[];
  /** What an administrator may ask of the running server; nothing where nothing is said. */
  readonly commands?: (shops: Shops) => Commands;
}

/** The OpenAPI document of this program. */
export function document(): OpenApiDocument {
  return openApiDocument({
    title: "Duka",
    description: guide,
    version,
    routes,
  });
}

/** Every refusal that any route may make, once. */
export function refusals(): RefusalDefinition[] {
  const everywhere = [routeNotFound, methodNotAllowed];
  return [...new Set([...everywhere, ...routes.flatMap(refusalsOf)])].toSorted((one, other) =>
    one.code < other.code ? -1 : 1,
  );
}

interface OpenedShops extends Shops, AsyncDisposable {
  /** The clock of the test shop, which can be moved. */
  readonly movableClock: ShopClock;
  /** The address under which a browser finds us, once there is one. */
  readonly address: { url: string };
}

/**
 * Opens both shops of a data directory, each with its own database, made and migrated where needed.
 * The caller holds the directory's lock. Both carry the same store id.
 */
export async function openShops(
  directory: string,
  { log, clockOf = () => realClock, gatewaysOf }: ShopTerms,
): Promise<OpenedShops> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const movableClock = new ShopClock(clockOf("test"));
  const address = { url: "" };
  const equip = (shop: Shop) => withGateways(shop, { address, given: gatewaysOf?.(shop) ?? null });
  const test = equip(openShop(directory, { mode: "test", clock: movableClock, log }));
  const live = equip(openShop(directory, { mode: "live", clock: clockOf("live"), log }));
  movableClock.runOn(await findClockOffset(test.store.read));
  const id = await live.store.write((tx) => openStore(tx, newId("store", realClock.now())));
  const other = await test.store.write((tx) => openStore(tx, id));
  if (other !== id) log.warn("The two databases of this directory are of different stores.");
  return {
    test,
    live,
    movableClock,
    address,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([test.store.close(), live.store.close()]);
    },
  };
}

function openShop(
  directory: string,
  { mode, clock, log }: { readonly mode: Mode; readonly clock: Clock; readonly log: Log },
): Shop {
  const { store, migrated } = openSqliteStore(join(directory, `${mode}.sqlite`), clock);
  if (migrated.applied.length > 0) log.info("The database was migrated.", { mode, ...migrated });
  return { mode, store, clock };
}

/** A running Duka. */
export interface Duka {
  readonly url: string;
  readonly shops: Shops;
  readonly timers: Readonly<Record<Mode, TimerRunner>>;
  /** The key made at the very first start; shown this once. */
  readonly firstKey: string | null;
  /** Finishes what is in flight, then closes everything. */
  stop(): Promise<void>;
}

/** Starts serving. Throws, with everything closed again, when anything is not as it must be. */
export async function startDuka(config: Config, terms: ShopTerms): Promise<Duka> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockDataDirectory(config.dataDirectory));
  const bare = opened.use(await openShops(config.dataDirectory, terms));
  const runners = timerRunners(bare, terms);
  const power = { clock: bare.movableClock, runner: runners.test, log: terms.log };
  const shops = { test: withSandbox(bare.test, power), live: bare.live };
  const firstKey = await shops.test.store.write((tx) => createFirstKey(tx));
  opened.use(
    serveAdministration({
      directory: config.dataDirectory,
      log: terms.log,
      commands: terms.commands?.(shops) ?? {},
    }),
  );
  opened.use(
    startScheduler({
      jobs: [
        pruneAnswersJob({
          stores: [shops.test.store, shops.live.store],
          clock: realClock,
          keptMs: config.http.idempotencyMs,
        }),
      ],
      onFault: (job, error) => terms.log.error("A job failed.", { job, error }),
    }),
  );
  const state = { isStopping: false, url: "" };
  const server = serveHttp(config, { shops, runners, state, log: terms.log });
  state.url = publicUrlAt(config, server.port);
  bare.address.url = state.url;
  for (const mode of modes) {
    await shops[mode].store.write((tx) => openRecovery(tx, state.url));
    await shops[mode].store.write((tx) => planLooks(tx));
  }
  runners.test.start();
  runners.live.start();
  const running = opened.move();
  return {
    url: state.url,
    shops,
    timers: runners,
    firstKey,
    stop: async () => {
      state.isStopping = true;
      await Promise.all([
        server.stop(config.listen.shutdownMs),
        runners.test.stop(),
        runners.live.stop(),
      ]);
      await running.disposeAsync();
    },
  };
}

function timerRunners(
  { test, live }: Shops,
  { log, timers: others = [] }: ShopTerms,
): Readonly<Record<Mode, TimerRunner>> {
  const onFault = (timer: string, error: unknown) => log.error("A timer failed.", { timer, error });
  const all = [...timers, ...others];
  return {
    test: new TimerRunner({ shop: test, timers: all, onFault }),
    live: new TimerRunner({ shop: live, timers: all, onFault }),
  };
}

interface Serving {
  readonly shops: Shops;
  readonly runners: Readonly<Record<Mode, TimerRunner>>;
  readonly state: { readonly isStopping: boolean; readonly url: string };
  readonly log: Log;
}

function serveHttp(config: Config, { shops, runners, state, log }: Serving) {
  const stores = { test: shops.test.store, live: shops.live.store };
  return listen({
    routes,
    // Made when somebody reads them: the start does not wait for the documentation.
    docs: {
      get document() {
        return document();
      },
      get refusals() {
        return explained(refusals());
      },
    },
    ...config.listen,
    requestsPerMinute: config.http.requestsPerMinute,
    corsOrigins: config.http.corsOrigins,
    endsTls: config.listen.tls !== null,
    shopOf: (mode) => shops[mode],
    publicUrl: () => state.url,
    retentionClock: realClock,
    authenticate: authenticator(stores, realClock, (error) =>
      log.error("The use of a key could not be noted.", { error }),
    ),
    addressOf: (request, peer) =>
      addressBlock(
        clientAddress(peer, request.headers.get("x-forwarded-for"), config.http.trustedProxies),
      ),
    onFault: (error, requestId) => log.error("A request failed.", { error, request_id: requestId }),
    addOpen: (app) => {
      mountNotices(app, async (mode, received) => {
        const isTaken = await receiveNotice(shops[mode], received);
        runners[mode].wake();
        return isTaken;
      });
      mountTestPage(app, shops.test);
      mountRecoveryPage(app, {
        cashiers: modes.map((mode) => shops[mode]),
        publicUrl: () => state.url,
        onFault: (error) => log.error("The recovery page failed.", { error }),
      });
    },
    readiness: async () => {
      const isWritable = modes.every((mode) => shops[mode].store.isWritable());
      const isReady = isWritable && !state.isStopping;
      const told = isReady ? await toldTimers(runners) : [];
      const details = { engine: "sqlite", version, writable: isWritable, timers: told };
      return { ready: isReady, details: { ...details, stopping: state.isStopping } };
    },
  });
}
