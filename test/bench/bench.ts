// `bun run bench`: Duka beside the bare program, in the same run, on the same data, under the same
// load from a third process. What counts is the ratio; absolute figures belong to the machine.

import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { LoadReport } from "./load.ts";

const CONNECTIONS = 64;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const PRODUCTS = 200;
const STARTS = 5;
/** A start that takes longer than this has failed, milliseconds. */
const START_MS_MAX = 10_000;

const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/duka");
const program = existsSync(binary) ? [binary] : ["bun", join(root, "src/main.ts")];

interface Program {
  readonly name: string;
  readonly port: number;
  readonly database: string;
  /** The request line's target host and the key. */
  readonly headers: string;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** What one load brought, and what it cost the server. */
interface Measured extends LoadReport {
  readonly cpuMicroseconds: number;
}

interface Goods {
  readonly customerId: string;
  readonly variantIds: readonly string[];
}

/** Reads a program's output until it says what is waited for. */
async function said(child: { readonly stdout: ReadableStream<Uint8Array> }, wanted: RegExp) {
  let text = "";
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`A program ended without saying ${wanted}: ${text}`);
    text += decoder.decode(value, { stream: true });
    const found = wanted.exec(text);
    if (found !== null) {
      reader.releaseLock();
      return text;
    }
  }
}

function spawn(command: readonly string[], settings: Record<string, string> = {}) {
  return Bun.spawn([...command], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...settings },
  });
}

function lifeOf(child: Bun.Subprocess): Pick<Program, "cpuSeconds" | "stop"> {
  return {
    cpuSeconds: () => cpuSecondsOf(child.pid),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** User and system time of a process so far (proc(5): fields 14 and 15, in hundredths). */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function dukaSettings(folder: string): Record<string, string> {
  return {
    DUKA_PORT: "0",
    DUKA_DATA_DIR: folder,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_LOG_LEVEL: "error",
  };
}

async function startDuka(folder: string, key: string | null): Promise<Program & { key: string }> {
  const child = spawn([...program, "serve"], dukaSettings(folder));
  const wanted = key === null ? /test_sk_\w+/ : /http:\/\/127\.0\.0\.1:\d+/;
  const text = await said(child, wanted);
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  const usedKey = key ?? /test_sk_\w+/.exec(text)?.[0] ?? "";
  return {
    name: "duka",
    port,
    database: join(folder, "test.sqlite"),
    headers: `Host: x\r\nAuthorization: Bearer ${usedKey}\r\n`,
    key: usedKey,
    ...lifeOf(child),
  };
}

async function startBare(database: string): Promise<Program> {
  const child = spawn(["bun", join(import.meta.dir, "bare.ts"), database, "0"]);
  const text = await said(child, /^\d+\n/m);
  return {
    name: "bare",
    port: Number(text.trim()),
    database,
    headers: "Host: x\r\nAuthorization: Bearer none\r\n",
    ...lifeOf(child),
  };
}

/** Fills a shop over its own interface. */
async function stock(duka: Program & { readonly key: string }): Promise<Goods> {
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${duka.port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${duka.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    return answer.text();
  };
  const variantIds: string[] = [];
  for (let index = 0; index < PRODUCTS; index += 1) {
    const made = await post("/v2/products", {
      name: `Printed cloth, pattern ${index}`,
      description: "Six yards of wax print, cotton, washed once.",
      tags: ["cloth", "cotton"],
      sku: `CLOTH-${index}`,
      price: "12.50",
      currency: "USD",
      stock: 1_000_000_000,
    });
    variantIds.push(/var_\w+/.exec(made)?.[0] ?? "");
  }
  const customer = await post("/v2/customers", { email: "ada@example.com", name: "Ada Mensah" });
  return { variantIds, customerId: /cus_\w+/.exec(customer)?.[0] ?? "" };
}

function orderBodies({ customerId, variantIds }: Goods): string[] {
  return variantIds.map((variantId, index) =>
    JSON.stringify({
      customer_id: customerId,
      line_items: [
        { variant_id: variantId, quantity: 2 },
        { variant_id: variantIds[(index + 7) % variantIds.length], quantity: 1 },
      ],
      payment_method: "mobile_money",
      currency: "USD",
      metadata: { source: "website" },
    }),
  );
}

interface Load {
  readonly target: string;
  readonly bodies: readonly string[];
  readonly rate?: number;
}

async function measure(on: Program, { target, bodies, rate = 0 }: Load): Promise<Measured> {
  const child = Bun.spawn(["bun", join(import.meta.dir, "load.ts")], {
    stdin: new Blob([
      JSON.stringify({
        port: on.port,
        connections: CONNECTIONS,
        seconds: SECONDS,
        rate,
        head: `${target} HTTP/1.1\r\n${on.headers}`,
        bodies,
        freshKeys: bodies.length > 0,
      }),
    ]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const before = on.cpuSeconds();
  const report: LoadReport = JSON.parse(await new Response(child.stdout).text());
  const cpuMicroseconds = ((on.cpuSeconds() - before) * 1e6) / report.answers;
  const unexpected = Object.keys(report.byStatus).filter((status) => !status.startsWith("2"));
  if (unexpected.length > 0)
    throw new Error(`${on.name} answered ${JSON.stringify(report.byStatus)}`);
  return { ...report, cpuMicroseconds };
}

function countOrders(database: string): number {
  using opened = new Database(database, { readonly: true });
  return opened.query<{ n: number }, []>("SELECT count(*) AS n FROM orders").get()?.n ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const show = (value: number, digits = 0) => value.toFixed(digits).padStart(10);

function print(name: string, of: Measured): void {
  console.log(
    `  ${name.padEnd(6)}${show(of.perSecond)}/s${show(of.p50, 1)} ms p50${show(of.p99, 1)} ms p99` +
      `${show(of.cpuMicroseconds)} us CPU`,
  );
}

/** Runs a load on both in turn, round by round, and prints the median ratio. */
async function compare(
  title: string,
  both: { readonly duka: Program; readonly bare: Program },
  load: Load,
): Promise<{ readonly ratio: number; readonly perSecond: number; readonly answers: number }> {
  console.log(`\n${title}`);
  const rounds: { duka: Measured; bare: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measure(both.bare, load);
    const duka = await measure(both.duka, load);
    print("bare", bare);
    print("duka", duka);
    rounds.push({ duka, bare });
  }
  const ratio = median(rounds.map(({ duka, bare }) => duka.perSecond / bare.perSecond));
  const cpu = median(rounds.map(({ duka, bare }) => bare.cpuMicroseconds / duka.cpuMicroseconds));
  console.log(`  ratio ${ratio.toFixed(2)} by throughput, ${cpu.toFixed(2)} by CPU per request`);
  return {
    ratio,
    perSecond: median(rounds.map(({ duka }) => duka.perSecond)),
    answers: rounds.reduce((sum, { duka }) => sum + duka.answers, 0),
  };
}

/** From the start of the process to its first 200, milliseconds; on a directory that is in use. */
async function measureStart(folder: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < STARTS; run += 1) {
    const port = freePort();
    const from = performance.now();
    const child = Bun.spawn([...program, "serve"], {
      stdout: "ignore",
      stderr: "inherit",
      env: { ...process.env, ...dukaSettings(folder), DUKA_PORT: String(port) },
    });
    while (!(await answers(port))) {
      if (performance.now() - from > START_MS_MAX) throw new Error("The program does not start.");
      await Bun.sleep(1);
    }
    times.push(performance.now() - from);
    child.kill("SIGTERM");
    await child.exited;
  }
  return times;
}

/** A port that nobody listens on now. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/livez`)).status === 200;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
try {
  console.log(`program: ${program.join(" ").replaceAll(`${root}/`, "")}`);
  console.log(
    `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, load from a third process`,
  );
  const first = await startDuka(folder, null);
  const goods = await stock(first);
  await first.stop();
  const bareDatabase = join(folder, "bare.sqlite");
  copyFileSync(first.database, bareDatabase);
  const duka = await startDuka(folder, first.key);
  const bare = await startBare(bareDatabase);
  const both = { duka, bare };
  const orders = await compare("POST /v2/orders (two lines, a fresh key each, durable)", both, {
    target: "POST /v2/orders",
    bodies: orderBodies(goods),
  });
  const found = countOrders(duka.database);
  console.log(`  acknowledged ${orders.answers}, found in the database ${found}`);
  if (found !== orders.answers) throw new Error("Acknowledged orders and stored orders differ.");
  await compare("GET /v2/products?limit=20", both, {
    target: "GET /v2/products?limit=20",
    bodies: [],
  });
  console.log("\nPOST /v2/orders at half the peak rate");
  const half = await measure(duka, {
    target: "POST /v2/orders",
    bodies: orderBodies(goods),
    rate: orders.perSecond / 2,
  });
  print("duka", half);
  await duka.stop();
  await bare.stop();
  const starts = await measureStart(folder);
  console.log(`\nstart to first 200: ${starts.map((ms) => ms.toFixed(0)).join(", ")} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
