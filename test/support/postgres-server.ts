// Real PostgreSQL servers for tests: each on a free port of the loopback interface, in a folder of its
// own, never as root, deleted with the program that started it.

import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { SQL } from "bun";

import { type Keeper, openKeeper } from "./postgres-keeper.ts";
import { findPrograms, runProgram } from "./postgres-programs.ts";
import { scratchRoot } from "./scratch-root.ts";
import { until } from "./until.ts";

/** Another program may take a free port between the check and the start. */
const PORTS_TRIED_MAX = 5;

/** Data of a test needs no sync. Commits still wait, as a shop requires of its server. */
const FLEETING = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "8GB",
  checkpoint_timeout: "1h",
};
/** Confirmed data is on the disk, and a standby can follow. */
const DURABLE = { fsync: "on", synchronous_commit: "on", wal_level: "replica" };
const EVERYWHERE = {
  listen_addresses: "127.0.0.1",
  // Only over TCP: the path of a socket may be too long in a temporary folder.
  unix_socket_directories: "",
  max_connections: "300",
  jit: "off",
};

type Settings = Readonly<Record<string, string>>;

export interface PostgresTerms {
  /** Keeps confirmed data when it is killed, and can have standbys. */
  readonly durable?: boolean;
  /** Settings of postgresql.conf that override those of every server here. */
  readonly settings?: Settings;
}

/** A server of one test. Disposing it deletes everything. */
export class TestPostgres implements AsyncDisposable {
  readonly folder: string;
  readonly #keeper: Keeper;
  readonly #programs: string;
  #port = 0;

  private constructor(folder: string, keeper: Keeper, programs: string) {
    this.folder = folder;
    this.#keeper = keeper;
    this.#programs = programs;
  }

  /** Makes the data with a command of PostgreSQL, which gets the folder, and starts the server. */
  static async open(making: readonly string[], settings: Settings): Promise<TestPostgres> {
    const programs = findPrograms();
    const [maker = "", ...options] = making;
    const folder = mkdtempSync(join(scratchRoot, "duka-postgres-"));
    const keeper = openKeeper({
      folder,
      programs,
      options: inOneWord({ ...EVERYWHERE, ...settings }),
      making: [join(programs, maker), "--pgdata", join(folder, "data"), "--no-sync", ...options],
    });
    const opened = new TestPostgres(folder, keeper, programs);
    if ((await keeper.nextLine()) !== "made") throw await opened.#failed("could not be made");
    await opened.start();
    return opened;
  }

  get port(): number {
    return this.#port;
  }

  /** The id of its main process. */
  get id(): number {
    return Number(readFileSync(join(this.folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  }

  /** The output of its programs. */
  get log(): string {
    return readFileSync(join(this.folder, "log"), "utf8");
  }

  /** The URL of one of its databases, as in DUKA_DATABASE_URL. */
  url(database: string): string {
    return `postgres://duka@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts it again on its port after `kill`; resolves when it accepts connections. */
  async start(): Promise<void> {
    for (let tried = 0; tried < PORTS_TRIED_MAX; tried += 1) {
      const port = this.#port === 0 ? await freePort() : this.#port;
      await this.#keeper.say(String(port));
      if ((await this.#keeper.nextLine()) === "started") {
        this.#port = port;
        return;
      }
      if (this.#port > 0 || !this.log.includes("Address already in use")) break;
    }
    throw await this.#failed("did not start");
  }

  /** Kills all its processes at once, as a power cut would; the data stays. */
  kill(): void {
    const first = this.id;
    // A stopped process cannot fork.
    process.kill(first, "SIGSTOP");
    for (const one of [...childrenOf(first), first]) process.kill(one, "SIGKILL");
  }

  /** Promotes a standby; resolves when it accepts writes. */
  async promote(): Promise<void> {
    const directory = join(this.folder, "data");
    await runProgram([join(this.#programs, "pg_ctl"), "promote", "-s", "-w", "-D", directory]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keeper.end();
  }

  async #failed(what: string): Promise<Error> {
    const { log } = this;
    await this.#keeper.end();
    return new Error(`A PostgreSQL for the tests ${what}: ${log}`);
  }
}

/** An empty server with the superuser `duka`, who needs no password, and the database `duka`. */
export async function startPostgres(terms: PostgresTerms = {}): Promise<TestPostgres> {
  const locale = process.platform === "linux" ? "C.UTF-8" : "C";
  const server = await TestPostgres.open(
    ["initdb", "--username=duka", "--auth=trust", "--encoding=UTF8", `--locale=${locale}`],
    { ...(terms.durable === true ? DURABLE : FLEETING), ...terms.settings },
  );
  await using sql = new SQL(server.url("postgres"), { max: 1 });
  await sql.unsafe("CREATE DATABASE duka");
  return server;
}

/**
 * A standby of a durable primary. Every later commit of the primary waits for a synchronous one, so that
 * promoting it loses nothing that was confirmed.
 */
export async function startStandby(
  primary: TestPostgres,
  { synchronous = false }: { readonly synchronous?: boolean } = {},
): Promise<TestPostgres> {
  const source = `host=127.0.0.1 port=${primary.port} user=duka application_name=standby`;
  const standby = await TestPostgres.open(
    ["pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--dbname", source],
    DURABLE,
  );
  if (synchronous) await waitForStandby(primary);
  return standby;
}

/** Resolves when commits of the primary wait for the standby. */
async function waitForStandby(primary: TestPostgres): Promise<void> {
  await using sql = new SQL(primary.url("postgres"), { max: 1 });
  await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await sql.unsafe("SELECT pg_reload_conf()");
  const isWaitedFor = async () =>
    (await sql.unsafe("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
  await until(isWaitedFor, "No standby replicates in step.");
  // It is the checkpointer that makes commits wait. A busy one reads the setting late, but before this ends.
  await sql.unsafe("CHECKPOINT");
}

function inOneWord(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(" ");
}

/** The process ids that Linux reports. */
function childrenOf(parent: number): number[] {
  const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
  return listed.split(" ").filter(Boolean).map(Number);
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}
