// The programs of a measurement: each a process of its own, started by its command and ended by its
// id. Invariant: none of them outlives the measurement, however it ends.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { cpuSecondsOf, type Memory, memoryOf, type Written, writtenBy } from "./usage.ts";

/** A start that takes longer than this has failed, milliseconds. */
const START_MS_MAX = 20_000;

const ROOT = join(import.meta.dir, "../..");

export interface Program {
  readonly name: string;
  readonly port: number;
  /** Of all of them, where several are measured as one. */
  readonly ports?: readonly number[];
  /** The request line's target host and the key. */
  readonly headers: string;
  readonly pids: readonly number[];
  cpuSeconds(): number;
  written(): Written;
  memory(): Memory;
  stop(): Promise<void>;
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

type Life = Pick<Program, "pids" | "cpuSeconds" | "written" | "memory" | "stop">;

function lifeOf(child: Bun.Subprocess): Life {
  return {
    pids: [child.pid],
    cpuSeconds: () => cpuSecondsOf(child.pid),
    written: () => writtenBy(child.pid),
    memory: () => memoryOf(child.pid),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

type Settings = Readonly<Record<string, string>>;

/** How a Duka differs from one of this checkout with plain settings. */
interface Terms {
  readonly settings?: Settings;
  /** The folder of another checkout, whose binary is started. */
  readonly checkout?: string;
}

/** The command that serves a shop. */
function serveCommand(checkout: string): string[] {
  return [binaryOf(checkout), "serve"];
}

/** Throws where the checkout has no binary. */
function binaryOf(checkout: string): string {
  const binary = join(checkout, "dist/duka");
  if (existsSync(binary)) return binary;
  throw new Error(`There is no ${binary}: run "npm run build" there.`);
}

/** What another command of this checkout prints about a folder that a server may be using. */
export async function runDuka(folder: string, args: readonly string[]): Promise<string> {
  const child = spawn([binaryOf(ROOT), ...args], dukaSettings(folder));
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`duka ${args.join(" ")} failed.`);
  return text;
}

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
  { settings = {}, checkout = ROOT }: Terms = {},
): Promise<Duka> {
  const child = spawn(serveCommand(checkout), { ...dukaSettings(folder), ...settings });
  const wanted = key === null ? /test_sk_\w+/ : /http:\/\/127\.0\.0\.1:\d+/;
  const text = await said(child, wanted);
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  const usedKey = key ?? /test_sk_\w+/.exec(text)?.[0] ?? "";
  return {
    name: "duka",
    port,
    database: join(folder, "test.sqlite"),
    headers: `Host: localhost\r\nAuthorization: Bearer ${usedKey}\r\n`,
    key: usedKey,
    ...lifeOf(child),
  };
}

/** Starts the fixed program on a new file, with a file of `supply.ts`; requests carry this key. */
export function startBare(
  { database, supply }: { readonly database: string; readonly supply: string },
  key: string,
): Promise<Program> {
  return startBareWith("bare.ts", [database, supply], key);
}

/** The bare program over PostgreSQL, with as many connections as Duka opens for one mode. */
export function startBarePostgres(
  url: string,
  { writing, reading }: { readonly writing: number; readonly reading: number },
): Promise<Program> {
  return startBareWith("bare-postgres.ts", [url, String(writing), String(reading)], "none");
}

async function startBareWith(
  script: string,
  args: readonly string[],
  key: string,
): Promise<Program> {
  const child = spawn([process.execPath, join(import.meta.dir, script), ...args]);
  const text = await said(child, /^\d+\n/m);
  return {
    name: "bare",
    port: Number(text.trim()),
    headers: `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`,
    ...lifeOf(child),
  };
}

/** Several programs that share one load: the figures of the whole are their sums. */
export function together(programs: readonly Program[]): Program {
  const [first] = programs;
  if (first === undefined) throw new Error("There is no program.");
  const sum = (of: (one: Program) => number) => programs.reduce((total, one) => total + of(one), 0);
  return {
    name: first.name,
    port: first.port,
    ports: programs.map(({ port }) => port),
    headers: first.headers,
    pids: programs.flatMap(({ pids }) => pids),
    cpuSeconds: () => sum((one) => one.cpuSeconds()),
    written: () => ({
      calls: sum((one) => one.written().calls),
      bytes: sum((one) => one.written().bytes),
    }),
    memory: () => ({
      now: sum((one) => one.memory().now),
      most: sum((one) => one.memory().most),
      anonymous: sum((one) => one.memory().anonymous),
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
export async function timeOfStart(folder: string, checkout = ROOT): Promise<number> {
  const port = freePort();
  const from = performance.now();
  const settings = { ...dukaSettings(folder), DUKA_PORT: String(port) };
  const child = spawn(serveCommand(checkout), settings);
  while (!(await answers(port))) {
    if (performance.now() - from > START_MS_MAX) throw new Error("The program does not start.");
    await Bun.sleep(1);
  }
  const took = performance.now() - from;
  await lifeOf(child).stop();
  return took;
}

/** A port that is free now. */
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
