// Takes a WebP file apart and puts together what is pixels. Invariant: each byte that it answers is of pixels, a length,
// or this program's own, and there are at most three for each pixel and 1,024 more.

import { ownProfileFor } from "./color-profiles.ts";

/** A WebP picture of nothing but pixels. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

interface Chunk {
  readonly type: string;
  readonly content: Buffer;
}

/** The facts that the pixels themselves tell. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const BYTES_PER_PIXEL_MAX = 3;
const BYTES_BESIDE_MAX = 1024;

/** Place, size, duration and flags of a frame of an animation, before its pixels (RFC 9649, 2.7.1.1). */
const FRAME_HEADER_BYTES = 16;

const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;

/**
 * Returns the picture with its pixels, their transparency, and this program's profile where they are in Display P3 or
 * Adobe RGB: without one they are sRGB. Null where lengths do not add up, there is no picture or more than one, or it
 * has more bytes than pixels need.
 */
export function onlyPixels(webp: Uint8Array): Pixels | null {
  const chunks = chunksOf(webp);
  const [picture, ...others] = chunks?.filter(({ type }) => /^VP8[ L]$/.test(type)) ?? [];
  if (chunks === null || picture === undefined || others.length > 0) return null;
  const frame = readFrame(picture);
  if (frame === null) return null;
  const extended = chunks[0]?.type === "VP8X" ? leading(chunks, picture, frame) : [];
  const bytes = riff([...extended, picture]);
  const { width, height } = frame;
  if (bytes.length > BYTES_PER_PIXEL_MAX * width * height + BYTES_BESIDE_MAX) return null;
  return { width, height, bytes };
}

/** The chunks that stand before the pixels of a picture that has more than them. */
function leading(
  chunks: readonly Chunk[],
  picture: Chunk,
  { width, height, ...frame }: Frame,
): Chunk[] {
  const find = (wanted: string) => chunks.find(({ type }) => type === wanted);
  const given = find("ICCP");
  const profile = given === undefined ? null : ownProfileFor(given.content);
  const alpha = picture.type === "VP8 " ? find("ALPH") : undefined;
  const head = Buffer.alloc(10);
  const hasAlpha = frame.hasAlpha || alpha !== undefined;
  head[0] = (profile === null ? 0 : HAS_PROFILE) | (hasAlpha ? HAS_ALPHA : 0);
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  return [
    { type: "VP8X", content: head },
    ...(profile === null ? [] : [{ type: "ICCP", content: Buffer.from(profile) }]),
    ...(alpha === undefined ? [] : [alpha]),
  ];
}

/** The first frame of an animated WebP as a picture of its own; other bytes as they are, also those that are damaged. */
export function stillOf(picture: Uint8Array): Uint8Array {
  const chunks = chunksOf(picture);
  const first = chunks?.find(({ type }) => type === "ANMF");
  const inner = first && chunksWithin(first.content, FRAME_HEADER_BYTES);
  const pixels = inner?.find(({ type }) => /^VP8[ L]$/.test(type));
  const frame = pixels && readFrame(pixels);
  if (!chunks || !inner || !pixels || !frame) return picture;
  const profile = chunks.filter(({ type }) => type === "ICCP");
  return riff([...leading([...profile, ...inner], pixels, frame), pixels]);
}

/** Returns true if the lengths of a WebP file add up to its own. */
export function isWholeWebp(bytes: Uint8Array): boolean {
  return chunksOf(bytes) !== null;
}

function chunksOf(webp: Uint8Array): Chunk[] | null {
  const file = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  if (file.length < HEADER_BYTES || file.toString("latin1", 0, 4) !== "RIFF") return null;
  if (file.toString("latin1", 8, HEADER_BYTES) !== "WEBP") return null;
  if (file.readUInt32LE(4) + CHUNK_HEADER_BYTES !== file.length) return null;
  return chunksWithin(file, HEADER_BYTES);
}

/** The chunks from a place to the end; null where their lengths do not add up to it. */
function chunksWithin(file: Buffer, from: number): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = from;
  while (at + CHUNK_HEADER_BYTES <= file.length) {
    const content = at + CHUNK_HEADER_BYTES;
    const end = content + file.readUInt32LE(at + 4);
    if (end > file.length) return null;
    chunks.push({
      type: file.toString("latin1", at, at + 4),
      content: file.subarray(content, end),
    });
    at = end + (end % 2);
  }
  return at === file.length ? chunks : null;
}

function readFrame({ type, content }: Chunk): Frame | null {
  const frame = type === "VP8L" ? readLossless(content) : readLossy(content);
  return frame === null || frame.width === 0 || frame.height === 0 ? null : frame;
}

/** RFC 6386, section 9.1: a key frame, its start code, and two sizes of 14 bits. */
function readLossy(content: Buffer): Frame | null {
  if (content.length < 10 || content.readUInt8(0) % 2 !== 0) return null;
  if (content.readUIntBE(3, 3) !== 0x9d012a) return null;
  const [width, height] = [content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff];
  return { width, height, hasAlpha: false };
}

/** RFC 9649, section 3.4: a signature, two sizes of 14 bits less one, and whether there is transparency. */
function readLossless(content: Buffer): Frame | null {
  if (content.length < 5 || content.readUInt8(0) !== 0x2f) return null;
  const bits = content.readUInt32LE(1);
  return {
    width: (bits & 0x3fff) + 1,
    height: ((bits >> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >> 28) & 1) === 1,
  };
}

function riff(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.flatMap(({ type, content }) => [
    header(type, content.length),
    content,
    Buffer.alloc(content.length % 2),
  ]);
  const body = Buffer.concat([Buffer.from("WEBP"), ...parts]);
  return Buffer.concat([header("RIFF", body.length), body]);
}

function header(type: string, bytes: number): Buffer {
  const made = Buffer.alloc(CHUNK_HEADER_BYTES);
  made.write(type, "latin1");
  made.writeUInt32LE(bytes, 4);
  return made;
}
