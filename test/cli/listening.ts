// Runs `duka listen` as a process, and waits for lines of its output.

import { type DukaTerms, environmentOf, program as duka } from "../support/running-duka.ts";

/** The exit code and the whole output. */
interface ListeningEnded {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running listener. Disposing it kills the process. */
export class Listening implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #out: Printed;
  readonly #error: Printed;

  private constructor(child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    this.#child = child;
    this.#out = new Printed(this.#child.stdout);
    this.#error = new Printed(this.#child.stderr);
  }

  static async start(args: readonly string[], terms: DukaTerms): Promise<Listening> {
    const child = Bun.spawn([...(terms.program ?? duka), "listen", ...args], {
      cwd: terms.folder,
      env: await environmentOf(terms),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    return new Listening(child);
  }

  /** The next line on stdout that contains the text; lines before it are skipped. */
  line(text: string): Promise<string> {
    return this.#out.line(text);
  }

  /** The same for stderr. */
  aside(text: string): Promise<string> {
    return this.#error.line(text);
  }

  async end(signal: NodeJS.Signals = "SIGINT"): Promise<ListeningEnded> {
    this.#child.kill(signal);
    return this.ended();
  }

  async ended(): Promise<ListeningEnded> {
    const [stdout, stderr] = await Promise.all([this.#out.whole, this.#error.whole]);
    return { code: await this.#child.exited, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

/** Starts a listener and waits until it listens, which it prints on stderr with --print-json. */
export async function openListening(args: readonly string[], terms: DukaTerms): Promise<Listening> {
  const listening = await Listening.start(args, terms);
  const isJson = args.includes("--print-json");
  await (isJson ? listening.aside("Listening to") : listening.line("Listening to"));
  return listening;
}

/** The lines of a stream, each returned once. */
class Printed {
  readonly whole: Promise<string>;
  readonly #lines: string[] = [];
  #arrived = Promise.withResolvers<void>();
  #hasEnded = false;
  #position = 0;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.whole = this.#read(stream);
  }

  async line(text: string): Promise<string> {
    for (;;) {
      const next = this.#lines[this.#position];
      if (next === undefined && this.#hasEnded) throw new Error(`No line with ${text}.`);
      if (next === undefined) await this.#arrived.promise;
      else {
        this.#position += 1;
        if (next.includes(text)) return next;
      }
    }
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder();
    let whole = "";
    let rest = "";
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      whole += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      this.#wake();
    }
    this.#hasEnded = true;
    this.#wake();
    return whole;
  }

  #wake(): void {
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
  }
}
