// The gateways that the shop may use: its accounts at those that this program speaks to, and the merchant's own.

import { bool, int, json, text, time } from "#platform/database/kit.ts";
import { hidden, plain, record, type WholeRowOf } from "#platform/database/record.ts";

/** A row per gateway; the database has the mode. */
export const gatewayAccounts = record(
  "gateway_accounts",
  {
    gateway: plain(text().primaryKey()),
    /** Sealed for its place: it opens in this row of this mode alone. */
    placedSecret: hidden(plain(text().notNull())),
    /**
     * The secrets that sign notices, separated by commas, sealed likewise; null without any. Of a vendor that signs with
     * its secret it is the former one.
     */
    placedWebhookSecrets: hidden(plain(text())),
    /** The part of the secret that may be shown: `sk_live_…1234`. */
    display: plain(text().notNull()),
    /** The machine's time. */
    setAt: time().notNull(),
    /** The user of the operating system who set it; null if that is not known. */
    setBy: plain(text()),
  },
  () => [],
);

/** A row per gateway that the merchant's own program is: an adapter, asked over HTTP. Its times are the machine's. */
export const customGateways = record(
  "custom_gateways",
  {
    /** Has a hyphen, as no gateway of this program has. */
    id: plain(text().primaryKey()),
    url: plain(text().notNull()),
    /** `new`: takes no payment before its adapter has described itself at this URL. */
    standing: text().$type<"new" | "open" | "retired">().notNull(),
    /** Sealed for its place; null where another shop's key sealed it. */
    placedSecret: hidden(plain(text())),
    placedFormerSecret: hidden(plain(text())),
    /** Until when the former secret signs, too. */
    formerSecretUntil: time(),
    /** The adapter's description of itself, in the words of the wire; null before the first one. */
    described: plain(json().$type<Readonly<Record<string, unknown>>>()),
    /** Null before the first one at this URL. */
    describedAt: time(),
    /** True if the operator named the URL: it may be of any host. */
    byOperator: bool().notNull().default(true),
    version: int().notNull().default(1),
    createdAt: time().notNull(),
  },
  () => [],
);

/** A stored account with its sealed secrets. */
export type GatewayAccountRow = WholeRowOf<typeof gatewayAccounts>;
/** A gateway of the merchant's own with its sealed secrets. */
export type CustomGatewayRow = WholeRowOf<typeof customGateways>;
