// A program whose gateway keeps its ledger in a file and kills the process at a given point.
// Arguments: the folder, the ledger's file, the point.

import { parseConfig } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { startDuka } from "#server.ts";

import { databaseSettings } from "../support/postgres-databases.ts";
import { Ledger, LedgerGateway } from "./ledger-gateway.ts";

const [folder = "", ledger = "", point = ""] = process.argv.slice(2);
const config = parseConfig({
  DUKA_HOST: "127.0.0.1",
  DUKA_PORT: "0",
  DUKA_DATA_DIR: folder,
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  DUKA_LOG_LEVEL: "error",
  ...(await databaseSettings(folder)),
});
const duka = await startDuka(config, {
  log: openLog({ level: config.log.level }),
  gatewaysOf: ({ mode }) => (mode === "test" ? [new LedgerGateway(new Ledger(ledger), point)] : []),
});
const key = duka.firstKey === null ? "" : `  ${duka.firstKey}\n`;
process.stdout.write(`  API   ${duka.url}/v2\n${key}  Data  ${folder}\n`);
