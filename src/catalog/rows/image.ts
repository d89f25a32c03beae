// Pictures of products, their variants and collections: a medium of the shop, or an address elsewhere. What never changes of a medium is
// copied into what shows it, so that lists and events read no other row; the address of its files is made when it is told.

import { type Id, isId } from "#kernel/id.ts";

/** A picture at an address of the merchant's. */
export interface LinkedImage {
  readonly url: string;
  readonly alt: string;
}

/** A picture that was uploaded. */
export interface MediumImage {
  readonly mediaId: Id<"medium">;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
  /** The widths of its files, ascending; the last is its own. */
  readonly widths: readonly number[];
}

export type Image = LinkedImage | MediumImage;

/** A picture as an order keeps it: without the blurred one that is shown until its file is loaded. */
export type KeptImage = LinkedImage | Omit<MediumImage, "placeholder">;

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

/** The part of a medium about its files. */
interface FiledMedium {
  readonly id: Id<"medium">;
  readonly files: readonly Pick<ShownSize, "width">[];
}

/** The media among these pictures. */
export function mediaOf(images: readonly Image[]): Id<"medium">[] {
  return images.flatMap((image) => ("mediaId" in image ? [image.mediaId] : []));
}

/** The pictures of a product in a request, each under its pointer. */
export function picturesByPointer(given: readonly GivenImage[]): Map<string, GivenImage> {
  return new Map(given.map((one, index) => [`/images/${index}`, one]));
}

/** The picture as an order keeps it. */
export function keptImage(image: Image | KeptImage): KeptImage {
  if (!("placeholder" in image)) return image;
  const { placeholder: _placeholder, ...kept } = image;
  return kept;
}

/** The picture with the addresses of its files below that of the shop's media. */
export function shownImage(image: Image | KeptImage, mediaUrl: string): ShownImage {
  if (!("mediaId" in image)) {
    return { ...image, mediaId: null, width: null, height: null, placeholder: null, sizes: [] };
  }
  const { widths, ...shown } = image;
  const sizes = sizesOf({ widths, mediaId: image.mediaId }, mediaUrl);
  const url = urlOf(image.mediaId, image.width, mediaUrl);
  return { placeholder: null, ...shown, url, sizes };
}

/** The sizes of a medium, each with its address. */
export function sizesOf(
  { widths, mediaId }: Pick<MediumImage, "widths" | "mediaId">,
  mediaUrl: string,
): ShownSize[] {
  return widths.map((width) => ({ width, url: urlOf(mediaId, width, mediaUrl) }));
}

export function urlOf(mediaId: Id<"medium">, width: number, mediaUrl: string): string {
  return `${mediaUrl}/${fileName(mediaId, width)}`;
}

/**
 * The file of a medium in a width; the folders keep one of them from having all files. The name has no other medium,
 * also not one of the same bytes that comes after it: so no program takes a file from the medium of another.
 */
export function fileName(mediaId: Id<"medium">, width: number): string {
  return `${mediaId.slice(-2)}/${mediaId}-${width}.webp`;
}

/** The files of a medium. */
export function namesOfFiles({ id, files }: FiledMedium): string[] {
  return files.map(({ width }) => fileName(id, width));
}

const BESIDE = ".pixels";

/** The name of a file until it takes the place of the one of this name. */
export function besideName(name: string): string {
  return name + BESIDE;
}

/** The name that a file beside another one is to get; of any other file its own. */
export function withoutBeside(name: string): string {
  return name.endsWith(BESIDE) ? name.slice(0, -BESIDE.length) : name;
}

const NAME = /^([^/]{2})\/(\w+)-\d{1,5}\.webp$/;

/** The medium of a file; null for a name that no medium's file has. */
export function mediumOfFile(name: string): Id<"medium"> | null {
  const [, folder, id = ""] = NAME.exec(name) ?? [];
  return isId("medium", id) && id.slice(-2) === folder ? id : null;
}
