// Opens both shops of a data directory, each with its database, clock and gateways.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type AccountsShop, SendingLater } from "#accounts/accounts-shop.ts";
import { findCodeKinds } from "#accounts/code-kinds.ts";
import type { AlertsShop } from "#alerts/alerts-shop.ts";
import { type AnalyticsShop, openAnalytics } from "#analytics/analytics-shop.ts";
import { type BooksShop, openBooks } from "#books/books-shop.ts";
import { type MediaShop, openImages, openMedia } from "#catalog/media/media-shop.ts";
import type { Area, ChecksShop, ListChecks } from "#checks/check.ts";
import type { Mail } from "#emails/emails-shop.ts";
import type { AbuseKind } from "#kernel/abuse.ts";
import { type Id, newId } from "#kernel/id.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import { requireEndpointKey } from "#messaging/webhooks/endpoints/lookups.ts";
import { takenBy } from "#payments/gateways/offered-methods.ts";
import { gatewayList } from "#payments/gateways/registry.ts";
import { CALL_TIMES, type CallTimes } from "#payments/port/gateway-times.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import {
  type GatewayTrouble,
  openPaymentsShop,
  type PaymentsShop,
} from "#payments/port/payments-shop.ts";
import type { MailConfig } from "#platform/config/config.ts";
import type { Commit, Reader } from "#platform/database/database.ts";
import { isOfNewShop, type MigrationReport } from "#platform/database/migrations.ts";
import {
  type DatabasePlace,
  type DatabaseTerms,
  openDatabase,
} from "#platform/database/open-database.ts";
import { requireSameKey } from "#platform/database/postgres/key-mark.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import type { FilePlace } from "#platform/files/file-store.ts";
import { Budgets } from "#platform/http/limits/budgets.ts";
import { RequestLog } from "#platform/http/server/request-log.ts";
import type { Log } from "#platform/log/log.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { type MailOutcome, openSmtp } from "#platform/net/smtp.ts";
import { onlyPublic, type Reach } from "#platform/net/target-url.ts";
import { release, releaseOf } from "#platform/process/version.ts";
import { findClockOffset, saveClockOffset, ShopClock } from "#platform/scheduler/shop-clock.ts";
import { watchWrites } from "#platform/scheduler/watch-writes.ts";
import { openVault } from "#platform/vault/vault.ts";
import { requireLinkKey } from "#sales/links/link-terms.ts";
import type { CodesPort } from "#sales/placing/order-request.ts";
import { openInboxMail, openInboxMessages, openInboxPush } from "#sandbox/inbox/record-message.ts";
import { magicCodeOf } from "#sandbox/simulated-gateway/magic.ts";
import { openSimulatedGateway } from "#sandbox/simulated-gateway/open-simulated-gateway.ts";
import type { ScriptBook } from "#sandbox/simulated-gateway/script.ts";
import { AbuseMarks, type MarksShop } from "#shop/marks/abuse-marks.ts";
import { openPeopleShop, type PeopleShop } from "#shop/people/people-shop.ts";
import type { RequestsShop } from "#shop/requests/routes.ts";
import { openStore } from "#shop/store/open-store.ts";

/** A shop with everything that a handler may need. */
export type OpenShop = PaymentsShop &
  AccountsShop &
  AlertsShop &
  CodesPort &
  AnalyticsShop &
  BooksShop &
  PeopleShop &
  MediaShop &
  RequestsShop &
  ChecksShop;

export type Shops = Readonly<Record<Mode, OpenShop>>;

export interface OpeningTerms {
  readonly log: Log;
  /** The clock that a shop's time is derived from; the machine's clock by default. */
  readonly clockOf?: (mode: Mode) => Clock;
  /** The payment gateways of a shop, in place of the simulated gateway of test mode. */
  readonly gatewaysOf?: (shop: Shop) => readonly Gateway[];
  /** The ids of gateways in the order in which they are asked. */
  readonly gatewayOrder?: Readonly<Record<Mode, readonly string[]>>;
  /** The hosts beside this server's own to which pages may send customers after a payment. */
  readonly returnHosts?: readonly string[];
  /** How long gateways are waited for; by default as long as each call may take. */
  readonly callTimes?: CallTimes;
  /** Sends webhooks; over the network by default. */
  readonly callOut?: CallOut;
  /** The addresses to which webhooks of test mode may go. */
  readonly testReach?: Reach;
  /** The mail server of live mode, and the sender of emails; none by default. */
  readonly mail?: MailConfig;
  /** Called after each commit. */
  readonly onCommit?: (mode: Mode, commit: Commit) => void;
  /** Called after each call of a gateway that had trouble. */
  readonly onTrouble?: (mode: Mode, trouble: GatewayTrouble) => void;
  /** Called after each attempt to hand an email to the mail server. */
  readonly onMail?: (outcome: MailOutcome["kind"]) => void;
  /** Called for each that a limit against abuse refused. */
  readonly onRefused?: (mode: Mode, kind: AbuseKind) => void;
  /** The scripts that the simulated gateway plays; the magic values by default. */
  readonly scriptBook?: ScriptBook;
  /** The instant at which the test shop's clock begins, epoch milliseconds; that of before by default. */
  readonly testClockAt?: number;
  /** The place of the files of media; by default in the directory, and nowhere for a server. */
  readonly media?: FilePlace | null;
  /** Looks at what a shop lacks; by default, where no server runs, at nothing. */
  readonly listChecks?: ListChecks;
  /** Seals secrets instead of the key file in the directory: 32 bytes in base64. */
  readonly secretKey?: string | null;
}

export interface OpenedShops extends Shops, AsyncDisposable {
  /** Aborts everything that waits for an event of the shops. */
  beginClosing(): void;
  /** The clock of the test shop, which tests and `/v2/test/clock` can move. */
  readonly movableClock: ShopClock;
  /** The public URL of the server; empty until it listens. */
  readonly address: { url: string };
  /** Makes the gateways of a mode anew; nothing before `openGateways`. */
  readonly reopening: { gateways: (mode: Mode) => Promise<void> };
  /** Afterwards the shop has these gateways beside those that it was opened with, and its row knows what they take. */
  useGateways(mode: Mode, ofVendors: readonly Gateway[]): Promise<void>;
}

/** Logs the trouble of a gateway, and counts it. */
function troubleOf(mode: Mode, { log, onTrouble }: OpeningTerms): PaymentsShop["onTrouble"] {
  return (trouble) => {
    log.warn("A gateway is in trouble.", { mode, ...trouble });
    onTrouble?.(mode, trouble);
  };
}

/** Logs what is told of a database. */
function loggingTo(log: Log, mode: Mode): Omit<DatabaseTerms, "clock" | "vault"> {
  return {
    onSlow: (slow) => log.warn("A statement held all requests up.", { mode, ...slow }),
    onFault: (error) => log.error("The database does not answer.", { mode, error }),
    onMigration: (step) => log.info("The database is being migrated.", { mode, ...step }),
  };
}

/** An upgrade names what it applied. Of a new shop all is new: the names say nothing to who starts one. */
async function tellMigrated(
  log: Log,
  reports: Partial<Record<Mode, MigrationReport>>,
): Promise<void> {
  const all = Object.entries(reports);
  const modes = all.filter(([, { applied }]) => isOfNewShop(applied)).map(([mode]) => mode);
  if (modes.length > 0) log.info("Created a new shop.", { modes });
  for (const [mode, { applied, snapshot }] of all) {
    if (modes.includes(mode) || applied.length === 0) continue;
    log.info("The database was migrated.", { mode, applied, snapshot });
  }
  await tellBreaking(log, Object.values(reports));
}

/** Logs what an upgrade from an older version asks for, once for both shops. */
async function tellBreaking(log: Log, reports: readonly MigrationReport[]): Promise<void> {
  const upgraded = reports.find(({ applied, writer }) =>
    writer === null
      ? applied.length > 0 && !isOfNewShop(applied)
      : Bun.semver.order(release, releaseOf(writer)) > 0,
  );
  if (upgraded === undefined) return;
  const { breakingSince } = await import("#guides/changelog.ts");
  for (const { version, lines } of breakingSince(upgraded.writer)) {
    for (const line of lines) log.warn(`Breaking in ${version}: ${line}`);
  }
}

/**
 * Opens both shops, creating and migrating their databases as needed. The caller holds the lock of the data directory.
 * Both get the same store id. Throws OtherKey, having changed no row, where the key is not the one of the shop.
 */
export async function openShops(place: DatabasePlace, terms: OpeningTerms): Promise<OpenedShops> {
  const { log, clockOf = () => realClock, gatewaysOf, callOut = openCallOut() } = terms;
  const { testReach = onlyPublic, callTimes = CALL_TIMES, returnHosts = [] } = terms;
  mkdirSync(place.directory, { recursive: true, mode: 0o700 });
  const vault = openVault(place.directory, terms.secretKey ?? null);
  const [images, closing] = [openImages(), new AbortController()];
  const [address, movableClock] = [{ url: "" }, new ShopClock(clockOf("test"))];
  const reopening: OpenedShops["reopening"] = { gateways: () => Promise.resolve() };
  const sending = new SendingLater((fault) => log.warn("A message was not sent.", { ...fault }));
  const lists = { test: gatewayList<Gateway>([], []), live: gatewayList<Gateway>([], []) };
  const mayReturnTo = (url: string) => {
    const hosts = [...returnHosts, URL.parse(address.url)?.hostname];
    return hosts.includes(URL.parse(url)?.hostname ?? "");
  };
  const reports: Partial<Record<Mode, MigrationReport>> = {};
  const open = async (mode: Mode, clock: Clock) => {
    const onCommit = (commit: Commit) => terms.onCommit?.(mode, commit);
    const watched = { clock, vault, onCommit, ...loggingTo(log, mode) };
    const { database: opened, migrated } = await openDatabase(mode, place, watched);
    const database = watchWrites(opened);
    reports[mode] = migrated;
    const shop: Shop = { mode, database, clock, closing: closing.signal };
    const own = gatewaysOf?.(shop) ?? simulatedIn(shop, address, terms);
    lists[mode] = gatewayList(own, terms.gatewayOrder?.[mode] ?? []);
    const outward = { callOut, testReach, ...codesOf(shop, sending, mailOf(shop, terms)) };
    const [{ gateways }, onTrouble] = [lists[mode], troubleOf(mode, terms)];
    const reopenGateways = () => reopening.gateways(mode);
    return {
      ...openPaymentsShop(shop, { gateways, mayReturnTo, callTimes, onTrouble, reopenGateways }),
      ...openPeopleShop(shop),
      ...memoryOf(shop, terms),
      media: openMedia(shop, mediaPlace(place, terms), images),
      ...outward,
    };
  };
  const [test, live] = [await open("test", movableClock), await open("live", clockOf("live"))];
  const close = () => closeShops([test, live], sending);
  await requireKey([test, live], close);
  await tellMigrated(log, reports);
  if (terms.testClockAt !== undefined) {
    const offsetMs = terms.testClockAt - movableClock.now();
    await test.database.write((tx) => saveClockOffset(tx, offsetMs));
  }
  movableClock.runOn(await findClockOffset(test.database.read));
  const id = await openRows({ test, live }, log);
  return {
    test,
    live,
    movableClock,
    address,
    reopening,
    useGateways: async (mode, ofVendors) => {
      lists[mode].useVendors(ofVendors);
      await openRow({ test, live }[mode], id, true);
    },
    beginClosing: () => closing.abort(),
    [Symbol.asyncDispose]: close,
  };
}

/** Throws OtherKey, with both databases closed, unless this program's key opens the secrets of both. */
async function requireKey(shops: readonly Shop[], close: () => Promise<void>): Promise<void> {
  try {
    for (const { database } of shops) await requireOwnKey(database.read);
    // After both: a mark of a key that is not the shop's would refuse the shop's own.
    const shared = shops.filter(({ database }) => database.isShared);
    for (const { database } of shared) await database.write(requireSameKey);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws OtherKey unless this program's key opens the shop's secrets, of which a shop has those of links or of webhooks. */
export async function requireOwnKey(db: Reader): Promise<void> {
  if (!(await requireLinkKey(db))) await requireEndpointKey(db);
}

function mediaPlace(
  { directory, server }: DatabasePlace,
  { media }: OpeningTerms,
): FilePlace | null {
  if (media !== undefined) return media;
  return server === null ? { folder: join(directory, "media") } : null;
}

/** The memory of a shop beside its database. */
function memoryOf({ mode, database, clock }: Shop, terms: OpeningTerms) {
  const { log, onRefused, listChecks = async () => [] } = terms;
  return {
    listChecks: (area?: Area) => listChecks(mode, area),
    marks: new AbuseMarks({
      database,
      clock,
      onCounted: (kind) => onRefused?.(mode, kind),
      onFault: (error) => log.error("What limits refused cannot be saved.", { mode, error }),
    }),
    ...openAnalytics(database),
    ...openBooks(database),
    requests: new RequestLog(mode),
  };
}

/** Opens the rows of both; returns the id of the live store. */
async function openRows({ test, live }: Shops, log: Log): Promise<Id<"store">> {
  const id = await openRow(live, newId("store", realClock.now()));
  const other = await openRow(test, id);
  if (other !== id) log.warn("The test and live databases belong to different stores.");
  return id;
}

/** Opens the row of the shop's settings; returns its id, which is another one where the database has a shop already. */
function openRow(
  { database, gateways, mode }: OpenShop,
  id: Id<"store">,
  isServing = false,
): Promise<Id<"store">> {
  return database.write((tx) => openStore(tx, id, { taken: takenBy(gateways), mode, isServing }));
}

/** The simulated gateway, in test mode. */
function simulatedIn(
  shop: Shop,
  address: OpenedShops["address"],
  { scriptBook }: OpeningTerms,
): Gateway[] {
  return shop.mode === "test" ? [openSimulatedGateway(shop, address, scriptBook)] : [];
}

/** Emails of test mode stay in the program. What becomes of each is counted, and trouble is logged. */
function mailOf(shop: Shop, terms: OpeningTerms): Mail | null {
  const { mode } = shop;
  const { server = null, from = null } = terms.mail ?? {};
  if (mode === "test") return openInboxMail(shop, from);
  if (server === null || from === null) return null;
  const send = openSmtp(server, shop.closing);
  return {
    from,
    send: async (message) => {
      const outcome = await send(message);
      terms.onMail?.(outcome.kind);
      if (outcome.kind === "later") {
        const { fault, codes } = outcome;
        terms.log.warn("The mail server takes no emails now.", { fault, codes });
      }
      return outcome;
    },
  };
}

/** Closes the shops once what is being sent has ended, since in test mode it is written, and what was counted is saved. */
async function closeShops(
  shops: readonly (Shop & MarksShop)[],
  sending: SendingLater,
): Promise<void> {
  await sending.settled();
  await Promise.all(shops.map(({ marks }) => marks.save()));
  await Promise.all(shops.map(({ database }) => database.close()));
}

/** How codes leave the shop. Only test mode has an inbox for them, and contacts that stand for no one. */
function codesOf(shop: Shop, sending: SendingLater, mail: Mail | null) {
  const { mode } = shop;
  const messageInbox = mode === "test" ? openInboxMessages(shop) : null;
  return {
    mail,
    messageInbox,
    pushInbox: mode === "test" ? openInboxPush(shop) : null,
    findCodeKinds: (db: Reader) => findCodeKinds({ mail, messageInbox }, db),
    strangersCodes: new Budgets(),
    magicCodeOf: mode === "test" ? magicCodeOf : () => null,
    sendLater: (work: Parameters<AccountsShop["sendLater"]>[0]) => sending.begin(mode, work),
  };
}
