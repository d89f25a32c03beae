// The table of the shop's accounts at vendors of gateways.

import { text, time } from "#platform/database/kit.ts";
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

export type GatewayAccountRow = WholeRowOf<typeof gatewayAccounts>;
