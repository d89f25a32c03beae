// A wrong Duka whose commits are not synced to the disk: the test that replays power cuts must detect it.
// Argument: the data directory.

import { parseConfig } from "#platform/config/config.ts";
import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { openLog } from "#platform/log/log.ts";
import { startDuka } from "#server.ts";

const [folder = ""] = process.argv.slice(2);
const config = parseConfig({
  DUKA_HOST: "127.0.0.1",
  DUKA_PORT: "0",
  DUKA_DATA_DIR: folder,
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  DUKA_LOG_LEVEL: "error",
});
const openDurable = SqliteConnection.openWriter.bind(SqliteConnection);

SqliteConnection.openWriter = (path, prepare) => {
  const connection = openDurable(path, prepare);
  connection.driver.run("PRAGMA synchronous = NORMAL");
  return connection;
};

const duka = await startDuka(config, { log: openLog({ level: config.log.level }) });
process.stdout.write(`  API   ${duka.url}/v2\n  ${duka.firstKey}\n  Data  ${folder}\n`);
process.on("SIGTERM", () => void duka.stop().then(() => process.exit(0)));
