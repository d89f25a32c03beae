// A Duka whose engine treats its disk as full from SIGUSR2 until SIGHUP, for machines where a test cannot
// mount a disk. Argument: the data directory.

import { parseConfig } from "#platform/config/config.ts";
import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { openLog } from "#platform/log/log.ts";
import { startDuka } from "#server.ts";

/** The engine's own limit, which is never reached. */
const PAGES_MAX = 4_294_967_294;

const [folder = ""] = process.argv.slice(2);
const config = parseConfig({
  DUKA_HOST: "127.0.0.1",
  DUKA_PORT: "0",
  DUKA_DATA_DIR: folder,
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
  // The test fills the disk to the last byte, with a test key.
  DUKA_DISK_RESERVE: "0",
  DUKA_LOG_LEVEL: "error",
});
const writers: SqliteConnection[] = [];
const open = SqliteConnection.openWriter.bind(SqliteConnection);

SqliteConnection.openWriter = (path, prepare) => {
  const connection = open(path, prepare);
  writers.push(connection);
  return connection;
};

/** A limit below the current size stops the file from growing. */
function limitTo(pages: number): void {
  for (const { driver } of writers) driver.run(`PRAGMA max_page_count = ${pages}`);
}

process.on("SIGUSR2", () => limitTo(1));
process.on("SIGHUP", () => limitTo(PAGES_MAX));

const duka = await startDuka(config, { log: openLog({ level: config.log.level }) });
process.stdout.write(`  API   ${duka.url}/v2\n  ${duka.firstKey}\n  Data  ${folder}\n`);
