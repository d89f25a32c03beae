// Joins the two shops of a data directory, the API, and the HTTP server.

import "#nouns.ts";
import { saveMediaAddress } from "#catalog/media/save-media-address.ts";
import type { ListChecks } from "#checks/check.ts";
import { beginEmails } from "#emails/sending/decide-emails.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import type { Courier } from "#messaging/webhooks/worker/courier.ts";
import type { Vendor } from "#payments/gateways/vendors.ts";
import { planPolls } from "#payments/settling/plan-polls.ts";
import { type Config, isExposed, publicUrlAt } from "#platform/config/config.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { FilesShared, takeBackAccess, type TakenBack } from "#platform/data-directory/own-files.ts";
import type { Database } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { ownSchema, rememberProgram, type SchemaMismatch } from "#platform/database/migrations.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { SharedRate } from "#platform/http/limits/shared-rate.ts";
import { betweenChecks } from "#platform/http/server/listen.ts";
import type { Log } from "#platform/log/log.ts";
import { OutsideClock } from "#platform/net/ask.ts";
import { type Metrics, openMetrics } from "#platform/operator/metrics.ts";
import { watchLoopDelay } from "#platform/operator/program-gauges.ts";
import { type Commands, serveAdministration } from "#platform/operator/serve-administration.ts";
import { diskReserve, type DiskRoom, diskRoomOf } from "#platform/process/disk-reserve.ts";
import { lazilyLoaded } from "#platform/process/lazy.ts";
import { compileEagerly } from "#platform/process/script-engine.ts";
import { version } from "#platform/process/version.ts";
import type { TimerWork } from "#platform/scheduler/timer-work.ts";
import type { TimerRunner } from "#platform/scheduler/timers.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { createFirstKey } from "#shop/keys/create-key.ts";
import { hasKeys } from "#shop/keys/lookups.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeFirstLink } from "#shop/people/credentials/make-link.ts";

import type { Background, BackgroundTerms } from "./background.ts";
import type { OpenedAcme } from "./open-acme.ts";
import { openGateways } from "./open-gateways.ts";
import {
  type OpenedShops,
  type OpeningTerms,
  type OpenShop,
  openShops,
  type Shops,
} from "./open-shops.ts";
import { areTestDoorsOpen, readiness, serveHttp } from "./serve-http.ts";
import { addShopGauges } from "./shop-gauges.ts";

export interface ServerTerms extends OpeningTerms {
  /** Reads the disk of the databases; by default that of the data directory. */
  readonly readDisk?: () => DiskRoom;
  /** Kinds of timers besides the shop's own. */
  readonly timers?: readonly TimerWork<OpenShop>[];
  /** The vendors of gateways; none by default. */
  readonly vendors?: readonly Vendor[];
  /** Loads the commands that an administrator may send to the running server; none by default. */
  readonly commands?: (shops: Shops, running: RunningServer) => Promise<Commands>;
  /** The person whom a token of the link of a sandbox lets in, once; null for another token. */
  readonly entrance?: (token: string) => string | null;
  /** Called when a newer program has changed the shared database so that this one has to stop. */
  readonly onReplaced?: (reason: SchemaMismatch) => void;
  /** Called once the server listens, before it has loaded what it serves. */
  readonly onListening?: () => void;
  /** The commands of the command line, for the guide that lists them. */
  readonly commandUsages?: readonly CommandUsage[];
}

/** The parts of the server that commands may use. */
export interface RunningServer {
  /** The address at which browsers reach the dashboard; empty until the server listens. */
  readonly dashboardUrl: string;
  /** The address at which programs on this machine reach the server; empty until it listens. */
  readonly address: string;
  /** Resolves to true while it serves: what `/readyz` says. */
  readonly isReady: () => Promise<boolean>;
  /** Makes the gateways of the mode anew, from what is stored now. */
  readonly reopenGateways: (mode: Mode) => Promise<void>;
}

/** A running Duka. */
export interface Duka {
  readonly url: string;
  /** The address at which programs on this machine reach it. */
  readonly address: string;
  readonly shops: Shops;
  readonly timers: Readonly<Record<Mode, TimerRunner<OpenShop>>>;
  readonly couriers: Readonly<Record<Mode, Courier>>;
  /** The API key made at the first start; it cannot be shown again. */
  readonly firstKey: string | null;
  /** The one-time link of the first owner; null once there is one. */
  readonly firstLink: string | null;
  /** Finishes requests in flight, then closes everything. */
  stop(): Promise<void>;
}

const METRICS_CLOSED =
  "/metrics answers 404 and /readyz is short, because strangers reach this server, also by a proxy on this machine. Set DUKA_METRICS_TOKEN to read them.";
const SHARED_WITHOUT_URL = "Set the same DUKA_PUBLIC_URL for every program that shares this shop.";

/** Starts serving. If it throws, everything it opened is closed again. */
export async function startDuka(config: Config, terms: ServerTerms): Promise<Duka> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockDataDirectory(config.dataDirectory));
  const { log, timers = [], onReplaced = () => {} } = terms;
  const access = narrowAccess(config, log);
  const metrics = openMetrics({ version, engine });
  const { dataDirectory: directory, server: databaseServer } = config;
  const place = { directory, server: databaseServer };
  const { vendorTerms, listChecks, onSkew } = lookingOut(config, terms, () => bare);
  const opening = { ...openingOf(config, terms, metrics), listChecks };
  const bare: OpenedShops = opened.use(await openShops(place, opening));
  const reopenGateways = await openGateways(bare, vendorTerms);
  await refuseShared(access, bare.live, log);
  const acme = await acmeOf(config, bare.live.database, { log, publicUrl: () => state.url });
  const jobs = acme === null ? [] : [opened.use(acme).job];
  const told = { log, onSkew, onReplaced, dashboardUrl: () => state.dashboardUrl };
  const work = lazilyLoaded(() => loadBackground(bare, { config, timers, jobs, ...told }));
  const state = stateBefore(reopenGateways, () => readiness(config, { shops: bare, work, state }));
  opened.use(
    serveAdministration({
      directory,
      log,
      commands: lazilyLoaded(async () => terms.commands?.((await work()).shops, state) ?? {}),
    }),
  );
  opened.use(measuring(metrics, bare, config));
  const share = bare.live.database.isShared ? sharedRates(bare, log) : null;
  for (const mode of modes) if (share !== null) opened.use(share[mode]);
  const joined = { shops: bare, work, metrics, state, log, share, ...factsOf(config, terms, bare) };
  const server = serveHttp(config, { ...joined, hasRoom: roomOf(config, terms) });
  opened.defer(() => server.stop(0));
  terms.onListening?.();
  state.url = publicUrlAt(config, server.port);
  state.dashboardUrl = config.dashboard.url ?? state.url;
  state.address = addressAt(config, server.port);
  bare.address.url = state.url;
  tellMissing(config, { isShared: bare.live.database.isShared, url: state.url }, log);
  await server.load();
  const { shops, runners, couriers, ...background } = await work();
  const first = await beginAt(state, shops, config);
  background.start();
  acme?.start(() => server.renew());
  compileEagerly();
  const running = opened.move();
  return {
    url: state.url,
    address: state.address,
    shops,
    timers: runners,
    couriers,
    ...first,
    stop: async () => {
      state.isStopping = true;
      bare.beginClosing();
      const { shutdownMs } = config.listen;
      await Promise.all([server.stop(shutdownMs), background.stop(shutdownMs)]);
      await running.disposeAsync();
    },
  };
}

/** Registers what is read on a scrape, and measures until it is disposed what is not. */
function measuring(metrics: Metrics, shops: Shops, config: Config): Disposable {
  addShopGauges(metrics, shops, config);
  return watchLoopDelay(metrics.countLoopDelay);
}

/** Has the certificate signed, where the settings say so; null elsewhere. */
async function acmeOf(
  { acme, listen: { host, tls } }: Config,
  database: Database,
  terms: { readonly log: Log; readonly publicUrl: () => string },
): Promise<OpenedAcme | null> {
  if (acme === null || tls === null) return null;
  const { openAcme } = await import("./open-acme.ts");
  return openAcme({ ...terms, acme, paths: tls, host, database });
}

/** Logs which settings the server would need beside those that it has. */
function tellMissing(
  config: Config,
  { isShared, url }: { readonly isShared: boolean; readonly url: string },
  log: Log,
): void {
  if (isShared && config.publicUrl === null) log.warn(SHARED_WITHOUT_URL, { url });
  if (isExposed(config) && config.metricsToken === null) log.info(METRICS_CLOSED);
}

/** The state of a server that does not listen yet. */
function stateBefore(
  reopenGateways: RunningServer["reopenGateways"],
  check: () => Promise<{ readonly ready: boolean }>,
) {
  const isReady = async () => (await check()).ready;
  return { isStopping: false, url: "", address: "", dashboardUrl: "", isReady, reopenGateways };
}

/** The facts of the settings and the caller that pages tell, or are served by. */
function factsOf(config: Config, { commandUsages, entrance }: ServerTerms, shops: Shops) {
  const { securityContact, modes: served } = config;
  const { trustedProxies } = config.http;
  const areDoorsOpen = () => areTestDoorsOpen(config, shops);
  return { commandUsages, entrance, securityContact, served, areDoorsOpen, trustedProxies };
}

/** Everything that asks other servers: the gateways, and the checks, which are loaded with the first list. */
function lookingOut(config: Config, terms: ServerTerms, shops: () => OpenedShops) {
  const outsideClock = new OutsideClock();
  const { note: onSkew } = outsideClock;
  const vendorTerms = { vendors: [], ...terms, config, onSkew };
  const load = lazilyLoaded(async () => {
    const { openChecklists } = await import("./open-checks.ts");
    const servedAt = () => shops().address.url;
    return openChecklists(shops(), { ...vendorTerms, outsideClock, servedAt });
  });
  const listChecks: ListChecks = async (mode, area) => (await load())[mode].rows(area);
  return { vendorTerms, listChecks, onSkew };
}

/** Loads what fires timers and sends webhooks, for which no health check waits. */
async function loadBackground(bare: OpenedShops, terms: BackgroundTerms): Promise<Background> {
  const { openBackground } = await betweenChecks(() => import("./background.ts"));
  return openBackground(bare, terms);
}

function openingOf(config: Config, terms: ServerTerms, metrics: Metrics): OpeningTerms {
  const { secretKey, testReach, mail, media, gateways: gatewayOrder, http } = config;
  const { countCommit: onCommit, countTrouble: onTrouble, countMail: onMail } = metrics;
  const counts = { onCommit, onTrouble, onMail, onRefused: metrics.countRefused };
  const { returnHosts } = http;
  const outward = { testReach, mail, gatewayOrder, returnHosts };
  return { ...terms, ...counts, ...outward, secretKey, media };
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

/** Writes what the address and a restart change; makes what lets in the first program and the first owner. */
async function beginAt(
  { url, dashboardUrl }: Readonly<Record<"url" | "dashboardUrl", string>>,
  shops: Shops,
  { dashboard, modes: served }: Config,
) {
  // Loaded with the background work: a start waits for no more of the source than it needs to listen.
  const { beginAlerts } = await import("#alerts/begin-alerts.ts");
  const ready = modes.map((mode) =>
    shops[mode].database.write(async (tx) => {
      await openLinks(tx, url);
      await saveMediaAddress(tx, shops[mode], url);
      await planPolls(tx);
      await beginEmails(tx, shops[mode].mail !== null);
      await beginAlerts(tx);
      await rememberProgram(tx, ownSchema);
    }),
  );
  await Promise.all(ready);
  // Last: a key that is made before a failed start would never be shown.
  const { test, live } = shops;
  const token = dashboard.isServed ? await live.database.write(makeFirstLink) : null;
  const firstLink = token === null ? null : addressOfLink(dashboardUrl, token);
  if (!served.includes("test")) return { firstKey: null, firstLink };
  return { firstKey: await test.database.write((tx) => createFirstKey(tx)), firstLink };
}

/**
 * The server's own address, without a proxy in front of it. With TLS, the name in the public URL,
 * because the certificate is issued for it.
 */
function addressAt(config: Config, port: number): string {
  return publicUrlAt(config.listen.tls === null ? { ...config, publicUrl: null } : config, port);
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
