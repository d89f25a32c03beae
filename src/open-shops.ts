// Both shops of a data directory, each with its database, its clock and its gateways.

import { mkdirSync } from "node:fs";

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { CatchUp } from "#analytics/projection/catch-up.ts";
import { SummaryCaches } from "#analytics/summary/summary-caches.ts";
import { newId } from "#kernel/id.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import type { Gateway } from "#payments/gateways/port.ts";
import { openPaymentsShop, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Commit } from "#platform/database/database.ts";
import { type DatabasePlace, openDatabase } from "#platform/database/open-database.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { findClockOffset } from "#platform/scheduler/clock-offset.ts";
import { ShopClock } from "#platform/scheduler/shop-clock.ts";
import { openVault } from "#platform/vault/vault.ts";
import { openSimulatedGateway } from "#sandbox/simulated-gateway/open-simulated-gateway.ts";
import { openStore } from "#shop/store/open-store.ts";

/** A shop with every power that a handler may need. */
export type OpenShop = PaymentsShop & MessagingShop & AnalyticsShop;

export type Shops = Readonly<Record<Mode, OpenShop>>;

export interface OpeningTerms {
  readonly log: Log;
  /** What a shop's clock starts from; the machine's clock where nothing else is said. */
  readonly clockOf?: (mode: Mode) => Clock;
  /** Who moves the money of a shop, in place of the simulated gateway of test mode. */
  readonly gatewaysOf?: (shop: Shop) => readonly Gateway[];
  /** How webhooks leave the house; over the network where nothing else is said. */
  readonly callOut?: CallOut;
  /** Told of each commit. */
  readonly onCommit?: (mode: Mode, commit: Commit) => void;
  /** Seals secrets in place of the key that lies in the directory: 32 bytes in base64. */
  readonly secretKey?: string | null;
}

export interface OpenedShops extends Shops, AsyncDisposable {
  /** Tells whoever waits for something to happen that nothing more will. */
  beginClosing(): void;
  /** The clock of the test shop, which can be moved. */
  readonly movableClock: ShopClock;
  /** The address under which a browser finds us, once there is one. */
  readonly address: { url: string };
}

/**
 * Opens both shops of a place, each with its own database, made and migrated where needed.
 * The caller holds the directory's lock. Both carry the same store id.
 */
export async function openShops(place: DatabasePlace, terms: OpeningTerms): Promise<OpenedShops> {
  const { log, clockOf = () => realClock, gatewaysOf, callOut = openCallOut() } = terms;
  mkdirSync(place.directory, { recursive: true, mode: 0o700 });
  const vault = openVault(place.directory, terms.secretKey ?? null);
  const closing = new AbortController();
  const movableClock = new ShopClock(clockOf("test"));
  const address = { url: "" };
  const open = async (mode: Mode, clock: Clock) => {
    const { database, migrated } = await openDatabase(mode, place, {
      clock,
      vault,
      onCommit: (commit) => terms.onCommit?.(mode, commit),
      onFault: (error) => log.error("The database does not answer.", { mode, error }),
    });
    if (migrated.applied.length > 0) log.info("The database was migrated.", { mode, ...migrated });
    const shop: Shop = { mode, database, clock, closing: closing.signal };
    const simulated = mode === "test" ? [openSimulatedGateway(shop, address)] : [];
    const analytics = { catchUp: new CatchUp(database), summaryCaches: new SummaryCaches() };
    return { ...openPaymentsShop(shop, gatewaysOf?.(shop) ?? simulated), ...analytics, callOut };
  };
  const test = await open("test", movableClock);
  const live = await open("live", clockOf("live"));
  movableClock.runOn(await findClockOffset(test.database.read));
  const id = await live.database.write((tx) => openStore(tx, newId("store", realClock.now())));
  const other = await test.database.write((tx) => openStore(tx, id));
  if (other !== id) log.warn("The two databases of this directory are of different stores.");
  return {
    test,
    live,
    movableClock,
    address,
    beginClosing: () => closing.abort(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([test.database.close(), live.database.close()]);
    },
  };
}
