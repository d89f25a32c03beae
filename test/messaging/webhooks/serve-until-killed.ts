// A separate program that kills itself before or after a call to a receiver.
// Arguments: the folder; when it ends: `before the call`, `after the answer` or `never`.

import { parseConfig } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { startDuka } from "#server.ts";

import { databaseSettings } from "../../support/postgres-databases.ts";

const [folder = "", point = ""] = process.argv.slice(2);
const config = parseConfig({
  DUKA_HOST: "127.0.0.1",
  DUKA_PORT: "0",
  DUKA_DATA_DIR: folder,
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  DUKA_LOG_LEVEL: "error",
  ...(await databaseSettings(folder)),
});
const overTheNetwork = openCallOut();

const callOut: CallOut = async (call) => {
  endAt("before the call");
  const result = await overTheNetwork(call);
  endAt("after the answer");
  return result;
};

function endAt(here: string): void {
  if (here === point) process.kill(process.pid, "SIGKILL");
}

const duka = await startDuka(config, { log: openLog({ level: config.log.level }), callOut });
const key = duka.firstKey === null ? "" : `  ${duka.firstKey}\n`;
process.stdout.write(`  API   ${duka.url}/v2\n${key}  Data  ${folder}\n`);
