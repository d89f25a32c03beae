// A program whose gateway keeps its ledger in a file that outlives it.

import { parseConfig } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { type Duka, startDuka } from "#server.ts";

import { databaseSettings } from "../support/postgres-databases.ts";
import { Ledger, LedgerGateway } from "./ledger-gateway.ts";

export interface LedgerShop {
  /** The data directory. */
  readonly folder: string;
  /** The ledger's file. */
  readonly ledger: string;
  /** Where the gateway kills the process. */
  readonly point: string;
}

/** Starts it on a free port of the loopback interface. */
export async function startLedgerShop({ folder, ledger, point }: LedgerShop): Promise<Duka> {
  const config = parseConfig({
    DUKA_HOST: "127.0.0.1",
    DUKA_PORT: "0",
    DUKA_DATA_DIR: folder,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_LOG_LEVEL: "error",
    ...(await databaseSettings(folder)),
  });
  return startDuka(config, {
    log: openLog({ level: config.log.level }),
    gatewaysOf: ({ mode }) =>
      mode === "test" ? [new LedgerGateway(new Ledger(ledger), point)] : [],
  });
}
