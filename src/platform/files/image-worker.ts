// The process that decodes one picture, which a stranger may have made: it has no settings, no data directory and no
// work of others, and ends itself before it takes the memory of the server. It reads the picture from its input and
// writes each size to its output, upright, as WebP. Its caller trusts nothing of it.

import { writeFileSync } from "node:fs";

import {
  type DecodeFault,
  EDGE_MAX,
  PIXELS_MAX,
  smallerWidths,
  type WorkerLine,
} from "./image-sizes.ts";
import { isWholeWebp, onlyPixels, type Pixels, stillOf } from "./only-pixels.ts";

const QUALITY = 80;
/** Limits of the system on memory end Bun at its start, so this process looks at what it has. */
const LOOK_MS = 5;
/** A picture of 12 million pixels takes 196 MB, one of 50 million 808 MB. */
const MEMORY_BYTES = 128_000_000;
const BYTES_PER_PIXEL = 20;
const TOO_MUCH_MEMORY = 9;
/** Makes Linux end this process before all others where memory is short. */
const ENDED_FIRST = "1000";

/** There is no picture, and the reason of it is the picture's. */
class DecodeError extends Error {
  readonly fault: DecodeFault;

  constructor(fault: DecodeFault) {
    super(fault);
    this.name = "DecodeError";
    this.fault = fault;
  }
}

/** Makes the sizes of the picture in the input, or writes why there are none; returns the exit code. */
export async function runImageWorker(): Promise<number> {
  offerToEndFirst();
  const budget = { bytes: MEMORY_BYTES };
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > budget.bytes) process.exit(TOO_MUCH_MEMORY);
  }, LOOK_MS);
  const output = Bun.stdout.writer();
  const tell = async (line: WorkerLine, bytes: Uint8Array = new Uint8Array()) => {
    await output.write(`${JSON.stringify(line)}\n`);
    await output.write(bytes);
    await output.flush();
  };
  try {
    const picture = stillOf(await Bun.stdin.bytes());
    const { width, height } = await look(picture);
    budget.bytes += width * height * BYTES_PER_PIXEL;
    const placeholder = await makeSizes(picture, ({ bytes }) =>
      tell({ bytes: bytes.length }, bytes),
    );
    await tell({ placeholder });
  } catch (error) {
    await tell({ fault: faultOf(error) });
  }
  clearInterval(watch);
  return 0;
}

/** Other systems than Linux have no such file. */
function offerToEndFirst(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", ENDED_FIRST);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

const wholeness: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  jpeg: isWholeJpeg,
  png: () => true,
  webp: isWholeWebp,
};

/** Reads the head of the picture. Nothing is decoded before its pixels are known to be few enough. */
async function look(picture: Uint8Array): Promise<{ width: number; height: number }> {
  const { format, width, height } = await open(picture).metadata();
  const isWhole = wholeness[format];
  if (isWhole === undefined) throw new DecodeError("other_format");
  if (width * height > PIXELS_MAX) throw new DecodeError("too_many_pixels");
  if (!isWhole(picture) || isThread(width, height)) throw new DecodeError("damaged");
  return { width, height };
}

/** Returns true for a picture of which nothing is left once its long side fits into a WebP. */
function isThread(width: number, height: number): boolean {
  return Math.round((Math.min(width, height) * EDGE_MAX) / Math.max(width, height)) === 0;
}

/** Makes its own size, then the smaller ones; answers a small blurred picture, as a data URL, of the smallest one. */
async function makeSizes(
  picture: Uint8Array,
  take: (size: Pixels) => Promise<void>,
): Promise<string> {
  const whole = await encode(open(picture), EDGE_MAX);
  await take(whole);
  const widths = smallerWidths(whole.width);
  const source = await reduced(picture, widths);
  let smallest = whole;
  for (const width of widths) {
    const size = await encode(open(source), width);
    await take(size);
    if (size.width < smallest.width) smallest = size;
  }
  return open(smallest.bytes).placeholder();
}

/** The picture in the widest of the widths, without loss: to decode a photo again for each size takes longer. */
async function reduced(picture: Uint8Array, widths: readonly number[]): Promise<Uint8Array> {
  if (widths.length < 2) return picture;
  return fitted(open(picture), Math.max(...widths))
    .png({ compressionLevel: 0 })
    .bytes();
}

function open(picture: Uint8Array): Bun.Image {
  return new Bun.Image(picture, { maxPixels: PIXELS_MAX });
}

/** Bun copies a color profile as it is, so that it goes afterwards. */
async function encode(image: Bun.Image, widthMax: number): Promise<Pixels> {
  const pixels = onlyPixels(await fitted(image, widthMax).webp({ quality: QUALITY }).bytes());
  if (pixels === null) throw new DecodeError("damaged");
  return pixels;
}

/** No side becomes longer than it was. */
function fitted(image: Bun.Image, widthMax: number): Bun.Image {
  return image.resize(widthMax, EDGE_MAX, { fit: "inside", withoutEnlargement: true });
}

const faults: Readonly<Record<string, DecodeFault>> = {
  ERR_IMAGE_DECODE_FAILED: "damaged",
  ERR_IMAGE_ENCODE_FAILED: "damaged",
  ERR_IMAGE_UNKNOWN_FORMAT: "other_format",
  ERR_IMAGE_FORMAT_UNSUPPORTED: "other_format",
  ERR_IMAGE_TOO_MANY_PIXELS: "too_many_pixels",
};

/** Throws what is no fault of the picture. */
function faultOf(error: unknown): DecodeFault {
  if (error instanceof DecodeError) return error.fault;
  const fault = faults[error instanceof Error && "code" in error ? String(error.code) : ""];
  if (fault === undefined) throw error;
  return fault;
}

const MARKER = 0xff;
const END = 0xd9;
/** True of a byte after 0xff that begins no segment: a stuffed byte, a restart of the scan, or another 0xff. */
const isBare = (byte: number) => byte === 0x00 || byte === 0x01 || (byte >= 0xd0 && byte <= 0xd8);

/**
 * Returns true if a JPEG has its end: decoders paint what is missing grey and say nothing. It skips each segment as a
 * whole, since the one of a camera has a small JPEG with an end of its own.
 */
function isWholeJpeg(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(MARKER); at !== -1; at = bytes.indexOf(MARKER, at)) {
    const [, byte = 0, high = 0, low = 0] = bytes.subarray(at, at + 4);
    if (byte === END) return true;
    if (byte === MARKER) at += 1;
    else at += isBare(byte) ? 2 : 2 + high * 256 + low;
  }
  return false;
}
