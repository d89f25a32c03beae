// Makes what is served of a picture: the same picture upright, in a fixed list of widths, as WebP. A process of its own
// decodes each (`image-worker.ts`), so that no picture takes the memory of the server. Invariant: nothing that this
// process answers is believed; of each file only its pixels are kept.

import { isObject } from "#kernel/assume.ts";
import { SECOND_MS } from "#kernel/time.ts";
import { ownProgram } from "#platform/process/own-program.ts";

import {
  type DecodeFault,
  EDGE_MAX,
  IMAGE_WORKER,
  PIXELS_MAX,
  smallerWidths,
} from "./image-sizes.ts";
import { onlyPixels, type Pixels } from "./only-pixels.ts";
import { turns } from "./turns.ts";

/** A picture of 50 million pixels takes 808 MB while it is decoded. */
const AT_ONCE = 1;
/** Many times what the largest picture takes. */
const WITHIN_MS = 180 * SECOND_MS;
/** All sizes of a picture together. */
const OUTPUT_BYTES_MAX = 64 * 1_048_576;
const LINE_BYTES_MAX = 16_384;
/** Ends a program that threw an error, which no picture makes it do. */
const FAILED = 1;
const BROKEN = "The process that decodes pictures failed.";

/** The reason for no picture; it is too costly where it takes more memory or time than its pixels explain. */
export type ImageFault = DecodeFault | "too_costly";

const faults: ReadonlySet<unknown> = new Set<DecodeFault>([
  "other_format",
  "too_many_pixels",
  "damaged",
]);

export class UnreadableImage extends Error {
  readonly fault: ImageFault;

  constructor(fault: ImageFault) {
    super(`The picture cannot be used: ${fault}.`);
    this.name = "UnreadableImage";
    this.fault = fault;
  }
}

/** A picture as it is looked at, and a small blurred one in its place, as a data URL. */
interface MadeImage {
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
  /** Its own size, then each width of the list that is smaller. */
  readonly sizes: readonly Pixels[];
}

export interface ImageMaker {
  /** Makes the sizes of the picture. Throws `UnreadableImage`. */
  make(path: string): Promise<MadeImage>;
}

interface WorkerTerms {
  /** By default this program. */
  readonly command?: readonly string[];
  readonly withinMs?: number;
}

/** Makes one picture at once, and lets further ones wait. */
export function openImageMaker(terms: WorkerTerms = {}): ImageMaker {
  const inTurn = turns(AT_ONCE);
  return { make: (path) => inTurn(() => makeSizes(path, terms)) };
}

async function makeSizes(
  path: string,
  { command = [...ownProgram(), IMAGE_WORKER], withinMs = WITHIN_MS }: WorkerTerms,
): Promise<MadeImage> {
  const worker = Bun.spawn([...command], {
    stdin: Bun.file(path),
    stdout: "pipe",
    stderr: "ignore",
    env: {},
    cwd: "/",
    timeout: withinMs,
    killSignal: "SIGKILL",
  });
  try {
    return await readSizes(new WorkerOutput(worker.stdout));
  } catch (error) {
    if (!(error instanceof OutputEnded)) throw error;
    if ((await worker.exited) === FAILED) throw new Error(BROKEN, { cause: error });
    throw new UnreadableImage("too_costly");
  } finally {
    worker.kill("SIGKILL");
    await worker.exited;
  }
}

/** Reads the own size, the smaller ones, and the small blurred picture, in this order and each once. */
async function readSizes(output: WorkerOutput): Promise<MadeImage> {
  const whole = await readSize(output, EDGE_MAX);
  const { width, height } = whole;
  if (width * height > PIXELS_MAX) throw new UnreadableImage("too_many_pixels");
  const sizes = [whole];
  for (const smaller of smallerWidths(width)) sizes.push(await readSize(output, smaller));
  const { placeholder } = await output.line();
  if (typeof placeholder !== "string" || !/^data:image\/png;base64,[\w+/]+=*$/.test(placeholder)) {
    throw new UnreadableImage("damaged");
  }
  return { width, height, placeholder, sizes };
}

/** A size that is no wider. */
async function readSize(output: WorkerOutput, widthMax: number): Promise<Pixels> {
  const { bytes } = await output.line();
  const size = typeof bytes === "number" ? onlyPixels(await output.take(bytes)) : null;
  if (size === null || size.width > widthMax) throw new UnreadableImage("damaged");
  return size;
}

/** The output is over although more was to come. */
class OutputEnded extends Error {}

/** The output of a worker, which is read no further than it is asked for. */
class WorkerOutput {
  readonly #parts: AsyncIterator<Uint8Array>;
  #read = Buffer.alloc(0);
  #left = OUTPUT_BYTES_MAX;

  constructor(output: AsyncIterable<Uint8Array>) {
    this.#parts = output[Symbol.asyncIterator]();
  }

  /** The next line. Throws the fault that it tells of. */
  async line(): Promise<Readonly<Record<string, unknown>>> {
    let end = this.#read.indexOf("\n");
    while (end === -1) {
      if (this.#read.length > LINE_BYTES_MAX) throw new UnreadableImage("damaged");
      this.#read = Buffer.concat([this.#read, await this.#next()]);
      end = this.#read.indexOf("\n");
    }
    const line = readLine(this.#read.toString("utf8", 0, end));
    this.#read = this.#read.subarray(end + 1);
    const { fault } = line;
    if (isFault(fault)) throw new UnreadableImage(fault);
    return line;
  }

  /** So many bytes. */
  async take(bytes: number): Promise<Uint8Array> {
    if (!(bytes >= 0 && bytes <= OUTPUT_BYTES_MAX)) throw new UnreadableImage("damaged");
    const taken = Buffer.alloc(bytes);
    let done = 0;
    for (;;) {
      const part = this.#read.subarray(0, bytes - done);
      taken.set(part, done);
      done += part.length;
      this.#read = this.#read.subarray(part.length);
      if (done === bytes) return taken;
      this.#read = await this.#next();
    }
  }

  async #next(): Promise<Buffer<ArrayBuffer>> {
    const part = await this.#parts.next();
    if (part.done === true) throw new OutputEnded();
    this.#left -= part.value.length;
    if (this.#left < 0) throw new OutputEnded();
    return Buffer.from(part.value);
  }
}

function isFault(value: unknown): value is DecodeFault {
  return faults.has(value);
}

function readLine(text: string): Readonly<Record<string, unknown>> {
  try {
    const line: unknown = JSON.parse(text);
    if (isObject(line)) return line;
  } catch {
    // It is no JSON.
  }
  throw new UnreadableImage("damaged");
}
