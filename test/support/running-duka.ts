// Duka as its operator has it: a program of its own, started with arguments and settings, spoken to
// over HTTP and ended by signals. It is the binary when TEST_BINARY names one, else the source.

import { join, resolve } from "node:path";

import { databaseSettings } from "./postgres-databases.ts";

const root = join(import.meta.dir, "../..");
/** What `bun` runs where there is no binary. */
export const source = join(root, "src/main.ts");
const binary = process.env.TEST_BINARY;
/** What starts Duka; arguments follow. */
export const program: readonly string[] =
  binary === undefined || binary === "" ? [process.execPath, source] : [resolve(root, binary)];

/** Longer than any start on a busy machine. */
const START_MS_MAX = 20_000;

export interface DukaTerms {
  /** Where it is started, and where its data directory is unless the settings say otherwise. */
  readonly folder: string;
  /** DUKA_ settings and other variables. Nothing of the test's own environment is passed on. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What is started, instead of `program`. */
  readonly program?: readonly string[];
}

/** What a command printed and answered to the shell. */
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

/** A Duka that serves. Disposing it kills it where it still runs. */
export class RunningDuka implements AsyncDisposable {
  /** Everything it printed on stdout when it had started. */
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

  /** The key that was printed at the very first start. */
  get key(): string {
    const found = this.firstKey;
    if (found === null) throw new Error(`No key in: ${this.greeting}`);
    return found;
  }

  get firstKey(): string | null {
    return /^ {2}(test_sk_\w+)$/m.exec(this.greeting)?.[1] ?? null;
  }

  /** Sends a JSON request with a key. */
  request(method: string, path: string, terms: { key?: string; body?: unknown } = {}) {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${terms.key ?? this.key}`,
        ...(terms.body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(terms.body === undefined ? {} : { body: JSON.stringify(terms.body) }),
    });
  }

  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal; answers the exit code, and what was logged until then. */
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

/** Starts `duka serve` on a free port and waits until it has said that it is open. */
export async function openRunningDuka(
  terms: DukaTerms,
  args: readonly string[] = ["serve"],
): Promise<RunningDuka> {
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

/** The variables of a program of Duka's, on PostgreSQL with the database of its data directory. */
export async function environmentOf({
  folder,
  settings = {},
}: DukaTerms): Promise<Record<string, string>> {
  const directory = resolve(folder, settings.DUKA_DATA_DIR ?? "data");
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    DUKA_PORT: "0",
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    ...(settings.DUKA_DATABASE_URL === undefined ? await databaseSettings(directory) : {}),
    ...settings,
  };
}

/** Reads until the text matches, or ends. */
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
