// Copies the write-ahead log into the file on a thread of its own: stories and answers go on meanwhile, and wait for none
// of the syncs. The thread is started for the first log that is long enough.

export type CheckpointEnd = "done" | "failed";

/** The address of the thread's file: in the binary below that of `main.ts`, which is the root of its entries. */
const THREAD = new URL(
  Bun.isStandaloneExecutable
    ? "./platform/database/sqlite/checkpoint-thread.ts"
    : "./checkpoint-thread.ts",
  import.meta.url,
);

export class Checkpointer {
  readonly #path: string;
  readonly #code: URL;
  #thread: Worker | null = null;
  #running: PromiseWithResolvers<CheckpointEnd> | null = null;

  /** Copies the log of the database at this path. */
  constructor(path: string, code = THREAD) {
    this.#path = path;
    this.#code = code;
  }

  /** The end of the checkpoint that runs; null if none does. */
  get running(): Promise<CheckpointEnd> | null {
    return this.#running?.promise ?? null;
  }

  /**
   * Starts a checkpoint, or joins the one that runs. Resolves with `failed` where the file cannot be opened or written,
   * or there can be no thread.
   */
  start(): Promise<CheckpointEnd> {
    if (this.#running !== null) return this.#running.promise;
    const running = Promise.withResolvers<CheckpointEnd>();
    this.#running = running;
    try {
      this.#thread ??= this.#startThread();
      this.#thread.postMessage(this.#path);
    } catch {
      this.#end("failed");
    }
    return running.promise;
  }

  /** Ends the thread once its checkpoint has ended. */
  async close(): Promise<void> {
    await this.running;
    this.#thread?.terminate();
    this.#thread = null;
  }

  #startThread(): Worker {
    const thread = new Worker(this.#code, { smol: true });
    thread.addEventListener("message", ({ data }: MessageEvent<CheckpointEnd>) => this.#end(data));
    for (const end of ["error", "close"]) {
      thread.addEventListener(end, () => {
        if (this.#thread !== thread) return;
        this.#thread = null;
        this.#end("failed");
      });
    }
    thread.unref();
    return thread;
  }

  #end(end: CheckpointEnd): void {
    this.#running?.resolve(end);
    this.#running = null;
  }
}
