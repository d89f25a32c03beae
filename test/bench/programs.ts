// The programs of a measurement: each a process of its own, started by its command and ended by its
// id. Invariant: none of them outlives the measurement, however it ends.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A start that takes longer than this has failed, milliseconds. */
const START_MS_MAX = 20_000;

const root = join(import.meta.dir, "../..");
const binary = join(root, "dist/duka");
const program = existsSync(binary) ? [binary] : [process.execPath, join(root, "src/main.ts")];
/** What is measured, as its user would call it. */
export const programName = existsSync(binary) ? "dist/duka" : "src/main.ts";

export interface Program {
  readonly name: string;
  readonly port: number;
  /** Of all of them, where several are measured as one. */
  readonly ports?: readonly number[];
  /** The request line's target host and the key. */
  readonly headers: string;
  cpuSeconds(): number;
  memory(): Memory;
  stop(): Promise<void>;
}

/** Resident memory of a process, bytes. */
export interface Memory {
  readonly now: number;
  readonly most: number;
}

export interface Duka extends Program {
  readonly key: string;
  readonly database: string;
}

/** Where messages arrive, and where it is asked what has arrived. */
export interface Sink extends Program {
  readonly askPort: number;
}

const running = new Set<Bun.Subprocess>();

/** Ends whatever still runs. */
export async function endAll(): Promise<void> {
  const children = [...running];
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(({ exited }) => exited));
}

function spawn(command: readonly string[], settings: Settings = {}) {
  const child = Bun.spawn([...command], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...settings },
    onExit: (ended) => void running.delete(ended),
  });
  running.add(child);
  return child;
}

/** Runs a program of this folder on an input to its end; answers what it printed. */
export async function runOn(script: string, input: object, msMax: number): Promise<string> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script)], {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: "pipe",
    stderr: "inherit",
    timeout: Math.ceil(msMax),
    onExit: (ended) => void running.delete(ended),
  });
  running.add(child);
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${script} did not come to its end.`);
  return text;
}

/** Reads a program's output until it says what is waited for. */
async function said(child: ReturnType<typeof spawn>, wanted: RegExp): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS_MAX);
  while (!wanted.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`A program ended without saying ${wanted}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  clearTimeout(timer);
  reader.releaseLock();
  return text;
}

function lifeOf(child: Bun.Subprocess): Pick<Program, "cpuSeconds" | "memory" | "stop"> {
  return {
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memory: () => memoryOf(child.pid),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** User and system time of a process so far (proc(5): fields 14 and 15, in hundredths). */
function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The same of a process and of its children, those that have ended too (fields 16 and 17). */
export function cpuSecondsOfFamily(pid: number): number {
  const ended = (Number(statOf(pid)[13]) + Number(statOf(pid)[14])) / 100;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((child) => existsSync(`/proc/${child}/stat`))
    .reduce((sum, child) => sum + cpuSecondsOf(Number(child)), cpuSecondsOf(pid) + ended);
}

/** What the kernel says of a process, from its state on. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), most: bytes("VmHWM") };
}

type Settings = Readonly<Record<string, string>>;

function dukaSettings(folder: string): Settings {
  return {
    DUKA_PORT: "0",
    DUKA_DATA_DIR: folder,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_LOG_LEVEL: "error",
  };
}

/** Duka on this folder; `key` is the one that an earlier start printed. */
export async function startDuka(
  folder: string,
  key: string | null,
  settings: Settings = {},
): Promise<Duka> {
  const child = spawn([...program, "serve"], { ...dukaSettings(folder), ...settings });
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

/** The bare program of the embedded engine, on a file. */
export function startBare(database: string): Promise<Program> {
  return startBareWith("bare.ts", [database, "0"]);
}

/** The bare program over PostgreSQL, with as many connections as Duka opens for one mode. */
export function startBarePostgres(
  url: string,
  { writing, reading }: { readonly writing: number; readonly reading: number },
): Promise<Program> {
  return startBareWith("bare-postgres.ts", [url, String(writing), String(reading)]);
}

async function startBareWith(script: string, args: readonly string[]): Promise<Program> {
  const child = spawn([process.execPath, join(import.meta.dir, script), ...args]);
  const text = await said(child, /^\d+\n/m);
  return {
    name: "bare",
    port: Number(text.trim()),
    headers: "Host: x\r\nAuthorization: Bearer none\r\n",
    ...lifeOf(child),
  };
}

/** Several programs that share one load: theirs is the sum of all costs. */
export function together(programs: readonly Program[]): Program {
  const [first] = programs;
  if (first === undefined) throw new Error("There is no program.");
  const sum = (of: (one: Program) => number) => programs.reduce((total, one) => total + of(one), 0);
  return {
    name: first.name,
    port: first.port,
    ports: programs.map(({ port }) => port),
    headers: first.headers,
    cpuSeconds: () => sum((one) => one.cpuSeconds()),
    memory: () => ({
      now: sum((one) => one.memory().now),
      most: sum((one) => one.memory().most),
    }),
    stop: async () => {
      await Promise.all(programs.map((one) => one.stop()));
    },
  };
}

export async function startSink(): Promise<Sink> {
  const child = spawn([process.execPath, join(import.meta.dir, "sink.ts")]);
  const [port = 0, askPort = 0] = (await said(child, /^\d+ \d+\n/m)).split(" ").map(Number);
  return { name: "sink", port, askPort, headers: "", ...lifeOf(child) };
}

/** From the start of the process to its first 200, milliseconds; on a directory that is in use. */
export async function timeOfStart(folder: string): Promise<number> {
  const port = freePort();
  const from = performance.now();
  const child = spawn([...program, "serve"], { ...dukaSettings(folder), DUKA_PORT: String(port) });
  while (!(await answers(port))) {
    if (performance.now() - from > START_MS_MAX) throw new Error("The program does not start.");
    await Bun.sleep(1);
  }
  const took = performance.now() - from;
  await lifeOf(child).stop();
  return took;
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
