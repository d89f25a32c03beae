// One shop on PostgreSQL, served by one, two and four programs that share a load: Duka beside the bare
// program on a copy of the same shop, in turn, and beside Duka on its own files. Everything that is
// acknowledged is on the disk. PostgreSQL shares two cores with the other programs.

import { join } from "node:path";

import { SQL } from "bun";

import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { type Duka, type Program, startBarePostgres, startDuka, together } from "./programs.ts";
import { ask, type Load, measure, type Measured, median, print, ROUNDS, show } from "./shop.ts";
import { cpuSecondsOfFamily } from "./usage.ts";

const PROCESSES = [1, 2, 4] as const;
/** So many that orders which run beside each other want different rows. */
const PRODUCTS = 1000;
const CUSTOMERS = 500;
const UNITS_ON_HAND = 1_000_000_000;
/** Requests that fill a shop and run beside each other. */
const FILLING = 16;
/** As Duka divides what DUKA_DATABASE_CONNECTIONS allows by default. */
const CONNECTIONS_OF_A_MODE = { writing: 7, reading: 5 };
/** All programs of one shop seal with the same key. */
const SECRET_KEY = Buffer.alloc(32, 7).toString("base64");
const TARGET = "POST /v2/orders";

/** What one round cost: the programs' own, and PostgreSQL's. */
interface Shared extends Measured {
  readonly serverMicroseconds: number;
}

/** Measures both engines with the same load. */
export async function measureProcesses(folder: string): Promise<void> {
  console.log(
    `\n${TARGET} (two lines, a fresh key each, durable), spread over ${PRODUCTS} variants and ` +
      `${CUSTOMERS} customers\n  one program on files of its own`,
  );
  await measureEmbedded(join(folder, "embedded"));
  await using server = await startPostgres({ durable: true });
  console.log(`  PostgreSQL ${await versionOf(server)}, fsync and synchronous_commit on`);
  const first = await startOn(server, join(folder, "0"), null);
  const load = { target: TARGET, bodies: await fill(first) };
  await first.stop();
  await copyShop(server);
  let acknowledged = 0;
  for (const count of PROCESSES) {
    const folders = Array.from({ length: count }, (_, index) => join(folder, String(index)));
    const dukas = await Promise.all(folders.map((one) => startOn(server, one, first.key)));
    const bares = await Promise.all(
      folders.map(() => startBarePostgres(server.url("bare"), CONNECTIONS_OF_A_MODE)),
    );
    const both = { duka: together(dukas), bare: together(bares) };
    acknowledged += await compare(server, `${count} of each`, { both, load });
    await Promise.all([both.duka.stop(), both.bare.stop()]);
  }
  await verify(server, acknowledged);
}

async function measureEmbedded(folder: string): Promise<void> {
  const duka = await startDuka(folder, null);
  const load = { target: TARGET, bodies: await fill(duka) };
  for (let round = 0; round < ROUNDS; round += 1) print("duka", await measure(duka, load));
  await duka.stop();
}

/** Duka over PostgreSQL; each program has a folder of its own. */
export function startOn(server: TestPostgres, folder: string, key: string | null): Promise<Duka> {
  const settings = { DUKA_DATABASE_URL: server.url("duka"), DUKA_SECRET_KEY: SECRET_KEY };
  return startDuka(folder, key, { settings });
}

/** The bare programs sell from a copy of the shop. */
async function copyShop(server: TestPostgres): Promise<void> {
  await using connection = new SQL(server.url("postgres"), { max: 1 });
  await connection.unsafe("CREATE DATABASE bare TEMPLATE duka");
}

async function versionOf(server: TestPostgres): Promise<string> {
  await using connection = new SQL(server.url("duka"), { max: 1 });
  const [row] = await connection<[{ server_version: string }]>`SHOW server_version`;
  return row.server_version;
}

/** Goods and people; answers the bodies of orders of which any that follow each other share nothing. */
async function fill(duka: Duka): Promise<string[]> {
  const variantIds = await sideBySide(PRODUCTS, async (index) => {
    const made = await ask(duka, ["POST", "/v2/products"], {
      name: `Printed cloth, pattern ${index}`,
      description: "Six yards of wax print, cotton, washed once.",
      tags: ["cloth", "cotton"],
      sku: `CLOTH-${index}`,
      price: "12.50",
      currency: "USD",
      stock: UNITS_ON_HAND,
    });
    return /var_\w+/.exec(made)?.[0] ?? "";
  });
  const customerIds = await sideBySide(CUSTOMERS, async (index) => {
    const person = { email: `ada.${index}@example.com`, name: "Ada Mensah" };
    return /cus_\w+/.exec(await ask(duka, ["POST", "/v2/customers"], person))?.[0] ?? "";
  });
  return variantIds.map((variantId, index) =>
    JSON.stringify({
      customer_id: customerIds[index % CUSTOMERS],
      line_items: [
        { variant_id: variantId, quantity: 2 },
        { variant_id: variantIds[(index + PRODUCTS / 2) % PRODUCTS], quantity: 1 },
      ],
      payment_method: "mobile_money",
      currency: "USD",
      metadata: { source: "website" },
    }),
  );
}

async function sideBySide(
  count: number,
  make: (index: number) => Promise<string>,
): Promise<string[]> {
  const made: string[] = [];
  for (let from = 0; from < count; from += FILLING) {
    const length = Math.min(FILLING, count - from);
    made.push(...(await Promise.all(Array.from({ length }, (_, index) => make(from + index)))));
  }
  return made;
}

/** Runs the load on both in turn; answers how many orders Duka acknowledged. */
async function compare(
  server: TestPostgres,
  title: string,
  { both, load }: { readonly both: Record<"duka" | "bare", Program>; readonly load: Load },
): Promise<number> {
  console.log(`  ${title}`);
  const rounds: { duka: Shared; bare: Shared }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measureShared(server, both.bare, load);
    rounds.push({ bare, duka: await measureShared(server, both.duka, load) });
  }
  const ratio = (of: (one: Shared) => number) =>
    median(rounds.map(({ duka, bare }) => of(duka) / of(bare)));
  console.log(
    `  ratio ${ratio((one) => one.perSecond).toFixed(2)} by throughput, ` +
      `${(1 / ratio((one) => one.cpuMicroseconds)).toFixed(2)} by the programs' CPU per order, ` +
      `${(1 / ratio((one) => one.cpuMicroseconds + one.serverMicroseconds)).toFixed(2)} with PostgreSQL's`,
  );
  return rounds.reduce((sum, { duka }) => sum + duka.answers, 0);
}

async function measureShared(server: TestPostgres, on: Program, load: Load): Promise<Shared> {
  const before = cpuSecondsOfFamily(server.id);
  const measured = await measure(on, load);
  const spent = cpuSecondsOfFamily(server.id) - before;
  const serverMicroseconds = (spent * 1e6) / measured.answers;
  print(on.name, measured, `${show(serverMicroseconds)} us PostgreSQL's`);
  return { ...measured, serverMicroseconds };
}

/** Every acknowledged order is there; neither their numbers nor the log have a gap. */
async function verify(server: TestPostgres, acknowledged: number): Promise<void> {
  await using connection = new SQL(server.url("duka"), { max: 1 });
  const [row] = await connection<
    [{ orders: string; numbers: string; events: string; last: string }]
  >`
    SELECT (SELECT count(*) FROM test.orders) AS orders,
      (SELECT max(number) - min(number) + 1 FROM test.orders)::text AS numbers,
      (SELECT count(*) FROM test.events) AS events,
      (SELECT max(sequence) FROM test.events) AS last`;
  console.log(`  acknowledged ${acknowledged}, found in the database ${row.orders}`);
  const isWhole = Number(row.orders) === acknowledged && row.orders === row.numbers;
  if (!isWhole || row.events !== row.last) throw new Error(`Not whole: ${JSON.stringify(row)}`);
}
