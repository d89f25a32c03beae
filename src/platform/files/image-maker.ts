// Makes what is served of a picture: the same picture upright, in a fixed list of widths, as WebP. It is decoded and
// encoded anew by Bun, off the main thread, so that of the file that was sent nothing is left but its pixels: no position,
// no name of a camera, no second file behind the first. Bun copies color profiles as they are; those go afterwards.

import { isWholeWebp, onlyPixels, type Pixels } from "./only-pixels.ts";
import { turns } from "./turns.ts";

// Tells whether a JPEG has its end. Decoders paint what is missing grey and say nothing.

const MARKER = 0xff;
const END = 0xd9;
/** True of a byte after 0xff that begins no segment: a stuffed byte, a restart of the scan, or another 0xff. */
const isBare = (byte: number) => byte === 0x00 || byte === 0x01 || (byte >= 0xd0 && byte <= 0xd8);

/** Skips each segment as a whole, since the one of a camera has a small JPEG with an end of its own. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(MARKER); at !== -1; at = bytes.indexOf(MARKER, at)) {
    const [, byte = 0, high = 0, low = 0] = bytes.subarray(at, at + 4);
    if (byte === END) return true;
    if (byte === MARKER) at += 1;
    else at += isBare(byte) ? 2 : 2 + high * 256 + low;
  }
  return false;
}

/** A phone's largest camera makes 50 million; a small file that claims more is refused before it is decoded. */
const PIXELS_MAX = 50_000_000;
/** WebP has no longer side. */
const EDGE_MAX = 16_383;
/** A fixed list, so that strangers cannot ask for a thousand sizes. */
const WIDTHS = [160, 320, 640, 960, 1280, 1920] as const;
const QUALITY = 80;
/** A picture of 50 million pixels takes 200 MB while it is decoded. */
const AT_ONCE = 2;

const wholeness: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  jpeg: isWholeJpeg,
  webp: isWholeWebp,
};

const formats: ReadonlySet<string> = new Set(["jpeg", "png", "webp"]);

/** Why there is no picture: it is of another format, has too many pixels, or cannot be decoded. */
export type ImageFault = "other_format" | "too_many_pixels" | "damaged";

export class UnreadableImage extends Error {
  readonly fault: ImageFault;

  constructor(fault: ImageFault, options?: ErrorOptions) {
    super(`The picture cannot be used: ${fault}.`, options);
    this.name = "UnreadableImage";
    this.fault = fault;
  }
}

/** A picture as it is looked at, and a small blurred one in its place, as a data URL. */
interface ImageFacts {
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
}

export interface ImageMaker {
  /**
   * Makes the picture in its own size, then in each width of the list that is smaller, and hands over one at a time. Throws `UnreadableImage` before the first one, or where its pixels turn out to be damaged.
   */
  make(path: string, take: (size: Pixels) => Promise<void>): Promise<ImageFacts>;
}

/** Makes two pictures at once, and lets further ones wait. */
export function openImageMaker(): ImageMaker {
  const inTurn = turns(AT_ONCE);
  return { make: (path, take) => inTurn(() => makeSizes(path, take)) };
}

async function makeSizes(path: string, take: (size: Pixels) => Promise<void>): Promise<ImageFacts> {
  try {
    const { format, width, height } = await open(path).metadata();
    if (!formats.has(format)) throw new UnreadableImage("other_format");
    const isWhole = wholeness[format]?.(await Bun.file(path).bytes()) ?? true;
    if (!isWhole || isThread(width, height)) throw new UnreadableImage("damaged");
    const placeholder = await open(path).placeholder();
    const whole = await encode(open(path), EDGE_MAX);
    await take(whole);
    for (const widthMax of WIDTHS.filter((one) => one < whole.width)) {
      await take(await encode(open(path), widthMax));
    }
    return { width: whole.width, height: whole.height, placeholder };
  } catch (error) {
    throw asUnreadable(error);
  }
}

function open(path: string): Bun.Image {
  return new Bun.Image(path, { maxPixels: PIXELS_MAX });
}

/** No side becomes longer than it was. */
async function encode(image: Bun.Image, widthMax: number): Promise<Pixels> {
  image.resize(widthMax, EDGE_MAX, { fit: "inside", withoutEnlargement: true });
  const bytes = await image.webp({ quality: QUALITY }).bytes();
  const pixels = onlyPixels(bytes);
  if (pixels === null) throw new UnreadableImage("damaged");
  return pixels;
}

/** Returns true for a picture of which nothing is left once its long side fits into a WebP. */
function isThread(width: number, height: number): boolean {
  return Math.round((Math.min(width, height) * EDGE_MAX) / Math.max(width, height)) === 0;
}

const faults: Readonly<Record<string, ImageFault>> = {
  ERR_IMAGE_UNKNOWN_FORMAT: "other_format",
  ERR_IMAGE_FORMAT_UNSUPPORTED: "other_format",
  ERR_IMAGE_TOO_MANY_PIXELS: "too_many_pixels",
  ERR_IMAGE_DECODE_FAILED: "damaged",
};

function asUnreadable(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const fault = faults[code];
  return fault === undefined ? error : new UnreadableImage(fault, { cause: error });
}
