// The sizes of a picture, and how its worker tells of them: lines of JSON, and after that of a size its bytes.

/** A phone's largest camera makes 50 million; a small file that claims more is refused before it is decoded. */
export const PIXELS_MAX = 50_000_000;
/** WebP has no longer side. */
export const EDGE_MAX = 16_383;

/** A fixed list, so that strangers cannot ask for a thousand sizes. */
const WIDTHS = [160, 320, 640, 960, 1280, 1920] as const;

/** The widths that a picture of this one is made in beside its own. */
export function smallerWidths(width: number): readonly number[] {
  return WIDTHS.filter((one) => one < width);
}

/** The argument that makes this program the worker. */
export const IMAGE_WORKER = "image-worker";

/** The reason for no picture: it is of another format, has too many pixels, or cannot be decoded. */
export type DecodeFault = "other_format" | "too_many_pixels" | "damaged";

/** A size, of which so many bytes follow; the last line has a small picture, or the fault. */
export type WorkerLine =
  { readonly bytes: number } | { readonly placeholder: string } | { readonly fault: DecodeFault };
