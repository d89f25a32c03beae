// Pictures of products, their variants and collections: a medium of the shop, or an address elsewhere. What never changes of a medium is
// copied into what shows it, so that lists and events read no other row; the address of its files is made when it is told.

import type { Id } from "#kernel/id.ts";

/** A picture at an address of the merchant's. */
export interface LinkedImage {
  readonly url: string;
  readonly alt: string;
}

/** A picture that was uploaded. */
export interface MediumImage {
  readonly mediaId: Id<"medium">;
  readonly alt: string;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
  /** Of its files, ascending; the last is its own. */
  readonly widths: readonly number[];
}

export type Image = LinkedImage | MediumImage;

/** A picture as a request names it. */
export interface GivenImage {
  readonly mediaId?: Id<"medium"> | undefined;
  /** Beside `mediaId` it says nothing. */
  readonly url?: string | undefined;
  /** By default the words of the medium. */
  readonly alt?: string | undefined;
}

/** A picture as it is told. */
export interface ShownImage {
  readonly mediaId: Id<"medium"> | null;
  readonly url: string;
  readonly alt: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  readonly sizes: readonly ShownSize[];
}

export interface ShownSize {
  readonly width: number;
  readonly url: string;
}

/** The media among these pictures. */
export function mediaOf(images: readonly Image[]): Id<"medium">[] {
  return images.flatMap((image) => ("mediaId" in image ? [image.mediaId] : []));
}

/** The pictures of a product in a request, each under its pointer. */
export function picturesByPointer(given: readonly GivenImage[]): Map<string, GivenImage> {
  return new Map(given.map((one, index) => [`/images/${index}`, one]));
}

/** The picture with the addresses of its files below that of the shop's media. */
export function shownImage(image: Image, mediaUrl: string): ShownImage {
  if (!("mediaId" in image)) {
    return { ...image, mediaId: null, width: null, height: null, placeholder: null, sizes: [] };
  }
  const { widths, sha256, ...shown } = image;
  const sizes = sizesOf({ widths, sha256 }, mediaUrl);
  return { ...shown, url: urlOf(sha256, image.width, mediaUrl), sizes };
}

/** The sizes of a medium, each with its address. */
export function sizesOf(
  { widths, sha256 }: Pick<MediumImage, "widths" | "sha256">,
  mediaUrl: string,
): ShownSize[] {
  return widths.map((width) => ({ width, url: urlOf(sha256, width, mediaUrl) }));
}

export function urlOf(sha256: string, width: number, mediaUrl: string): string {
  return `${mediaUrl}/${fileName(sha256, width)}`;
}

/** The file of a medium in a width; the folders keep one of them from having all files. */
export function fileName(sha256: string, width: number): string {
  return `${sha256.slice(0, 2)}/${sha256}-${width}.webp`;
}

const NAME = /^[0-9a-f]{2}\/([0-9a-f]{64})-\d{1,5}\.webp$/;

/** The hash of the medium of a file; null for a name that no medium's file has. */
export function hashOfFile(name: string): string | null {
  const [, hash] = NAME.exec(name) ?? [];
  return hash !== undefined && name.startsWith(`${hash.slice(0, 2)}/`) ? hash : null;
}
