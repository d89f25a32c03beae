// Duka as a process: started with arguments and settings, called over HTTP and ended by signals. It is the
// binary that TEST_BINARY names, else the source.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { databaseSettings } from "./postgres-databases.ts";
import { copyTemplateInto } from "./template-files.ts";

const root = join(import.meta.dir, "../..");
/** The entry point that `bun` runs without a binary. */
export const source = join(root, "src/main.ts");
const binary = process.env.TEST_BINARY;
/** The command that starts Duka; arguments follow. */
export const program: readonly string[] =
  binary === undefined || binary === "" ? [process.execPath, source] : [resolve(root, binary)];

/** Longer than any start on a busy machine, milliseconds. */
const START_MS_MAX = 20_000;

export interface DukaTerms {
  /** The working directory; it contains the data directory unless the settings name another. */
  readonly folder: string;
  /** DUKA_ settings and other variables. The test's own environment is not inherited. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The command to start, instead of `program`. */
  readonly program?: readonly string[];
  /** Whether a first start migrates its databases itself, which takes longer than the rest of the start. */
  readonly isFromNothing?: boolean;
}

/** The output and exit code of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of Duka to its end. */
export async function runDuka(args: readonly string[], terms: DukaTerms): Promise<Ended> {
  const child = Bun.spawn([...(terms.program ?? program), ...args], {
    cwd: terms.folder,
    env: await environmentOf(terms),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** A running server. Disposing it kills the process. */
export class RunningDuka implements AsyncDisposable {
  /** Everything printed on stdout during the start. */
  readonly greeting: string;
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #stderr: Promise<string>;

  constructor(child: Bun.Subprocess<"ignore", "pipe", "pipe">, greeting: string) {
    this.#child = child;
    this.greeting = greeting;
    this.#stderr = new Response(child.stderr).text();
  }

  get id(): number {
    return this.#child.pid;
  }

  get url(): string {
    const found = /^ {2}API +(\S+)\/v2$/m.exec(this.greeting)?.[1];
    if (found === undefined) throw new Error(`No address in: ${this.greeting}`);
    return found;
  }

  /** The key printed by the first start; null on later starts. */
  get key(): string {
    const found = this.firstKey;
    if (found === null) throw new Error(`No key in: ${this.greeting}`);
    return found;
  }

  get firstKey(): string | null {
    return /^ {2}(test_sk_\w+)$/m.exec(this.greeting)?.[1] ?? null;
  }

  /** Sends a JSON request with a key. */
  request(
    method: string,
    path: string,
    terms: { key?: string; body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${terms.key ?? this.key}`,
        ...(terms.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...terms.headers,
      },
      ...(terms.body === undefined ? {} : { body: JSON.stringify(terms.body) }),
    });
  }

  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal; returns the exit code and the log. */
  async end(signal: NodeJS.Signals): Promise<{ readonly code: number; readonly log: string }> {
    this.signal(signal);
    return this.ended();
  }

  async ended(): Promise<{ readonly code: number; readonly log: string }> {
    const code = await this.#child.exited;
    return { code, log: await this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL");
    await this.#child.exited;
  }
}

/**
 * Starts `duka serve` on a free port and waits until it has printed its greeting. A data directory that does
 * not exist begins with empty, migrated databases.
 */
export async function openRunningDuka(
  terms: DukaTerms,
  args: readonly string[] = ["serve"],
): Promise<RunningDuka> {
  const directory = directoryOf(terms);
  if (terms.isFromNothing !== true && !existsSync(directory)) copyTemplateInto(directory);
  const child = Bun.spawn([...(terms.program ?? program), ...args], {
    cwd: terms.folder,
    env: await environmentOf(terms),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS_MAX);
  const printed = await textUntil(child.stdout, /^ {2}Data .*\n/m);
  clearTimeout(timer);
  if (printed.isWhole) return new RunningDuka(child, printed.text);
  child.kill("SIGKILL");
  throw new Error(`Duka did not start: ${printed.text}${await new Response(child.stderr).text()}`);
}

/** The environment of a Duka; on PostgreSQL with the database of its data directory. */
export async function environmentOf(terms: DukaTerms): Promise<Record<string, string>> {
  const { settings = {} } = terms;
  const directory = directoryOf(terms);
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    DUKA_PORT: "0",
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    ...(settings.DUKA_DATABASE_URL === undefined ? await databaseSettings(directory) : {}),
    ...settings,
  };
}

function directoryOf({ folder, settings = {} }: DukaTerms): string {
  return resolve(folder, settings.DUKA_DATA_DIR ?? "data");
}

/** Reads until the text matches, or to the end. */
async function textUntil(
  stream: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  while (!pattern.test(text)) {
    const { value, done } = await reader.read();
    if (done) return { text, isWhole: false };
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return { text, isWhole: true };
}
