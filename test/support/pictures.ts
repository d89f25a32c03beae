// Pictures for tests: made of a bitmap by the program's own encoder, with what cameras write into them added by hand.

import { deflateSync } from "node:zlib";

/** Red above, blue below, so that what is up can be seen. */
function bitmap(width: number, height: number): Buffer {
  const row = (width * 3 + 3) & ~3;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  // The rows of a bitmap begin below, and its pixels with blue.
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) bytes[54 + y * row + x * 3 + (y * 2 < height ? 0 : 2)] = 255;
  }
  return bytes;
}

type Format = "jpeg" | "png" | "webp";

/** A picture without metadata. */
export async function picture(format: Format, width = 40, height = 20): Promise<Buffer> {
  return new Bun.Image(bitmap(width, height))[format]({ quality: 90 }).buffer();
}

/** What the metadata of `taggedPicture` has; no part of a picture. */
export const SECRET_PLACE = "GPS 5.6037N 0.1870W";

/** Exif that says that the picture is to be turned by 90 degrees, and where it was taken. */
function exif(): Buffer {
  const tiff = Buffer.alloc(64);
  tiff.write("II");
  tiff.writeUInt16LE(42, 2);
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(6, 18);
  tiff.write(SECRET_PLACE, 30);
  return tiff;
}

/** A picture as a phone writes it. */
export async function taggedPicture(format: Format, width = 40, height = 20): Promise<Buffer> {
  const plain = await picture(format, width, height);
  switch (format) {
    case "jpeg": {
      const segment = Buffer.concat([Buffer.from("\0\0Exif\0\0", "latin1"), exif()]);
      segment.writeUInt16BE(segment.length, 0);
      const marker = Buffer.from([0xff, 0xe1]);
      return Buffer.concat([plain.subarray(0, 2), marker, segment, plain.subarray(2)]);
    }
    case "png":
      return Buffer.concat([plain.subarray(0, 33), pngChunk("eXIf", exif()), plain.subarray(33)]);
    case "webp": {
      const header = Buffer.alloc(10);
      header[0] = 0x08;
      header.writeUIntLE(width - 1, 4, 3);
      header.writeUIntLE(height - 1, 7, 3);
      const chunks = [riffChunk("VP8X", header), plain.subarray(12), riffChunk("EXIF", exif())];
      return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
    }
  }
}

/** A PNG of a few bytes whose header claims so many pixels. */
export async function bombPicture(edge: number): Promise<Buffer> {
  const plain = await picture("png");
  const header = Buffer.from(plain.subarray(16, 29));
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  return Buffer.concat([plain.subarray(0, 8), pngChunk("IHDR", header), plain.subarray(33)]);
}

/** A chunk of a PNG, with its sum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A chunk of a WebP, which is one itself. */
export function riffChunk(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/** A color profile of the space with these primaries, and so many bytes. */
export function colorProfile(primaries: readonly number[], bytes = 600): Buffer {
  const made = Buffer.alloc(bytes);
  made.writeUInt32BE(bytes, 0);
  made.writeUInt32BE(0x02400000, 8);
  made.write("mntrRGB XYZ ", 12, "latin1");
  made.write("acsp", 36, "latin1");
  const [elements, curve, tags] = [[300, 320, 340], 360, ["rXYZ", "gXYZ", "bXYZ"]];
  made.writeInt32BE(tags.length * 2, 128);
  tags.forEach((tag, index) => {
    const at = elements[index] ?? 0;
    writeTag(made, index, [tag, at, 20]);
    writeTag(made, index + 3, [tag.replace("XYZ", "TRC"), curve, 14]);
    made.write("XYZ ", at, "latin1");
    primaries.slice(index * 3, index * 3 + 3).forEach((value, part) => {
      made.writeInt32BE(Math.round(value * 65_536), at + 8 + part * 4);
    });
  });
  made.write("curv", curve, "latin1");
  made.writeInt32BE(1, curve + 8);
  made.writeUInt16BE(563, curve + 12);
  return made;
}

function writeTag(
  profile: Buffer,
  index: number,
  [tag, at, bytes]: readonly [string, number, number],
): void {
  const entry = 132 + index * 12;
  profile.write(tag, entry, "latin1");
  profile.writeInt32BE(at, entry + 4);
  profile.writeInt32BE(bytes, entry + 8);
}

export const DISPLAY_P3 = [
  0.51512, 0.2412, -0.00105, 0.29198, 0.69225, 0.04189, 0.1571, 0.06657, 0.78407,
];
export const ADOBE_RGB = [
  0.60974, 0.31111, 0.01947, 0.20528, 0.62567, 0.06087, 0.14919, 0.06322, 0.74457,
];
export const SRGB = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];

/** The PNG with the profile, which is compressed there. */
export function profiledPng(plain: Buffer, profile: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from("any\0\0", "latin1"), deflateSync(profile)]);
  return Buffer.concat([plain.subarray(0, 33), pngChunk("iCCP", content), plain.subarray(33)]);
}

/** The WebP, which is a plain one, with these chunks after its pixels, and the profile before them. */
export function extendedWebp(
  plain: Buffer,
  {
    profile,
    after = [],
  }: { readonly profile?: Buffer; readonly after?: readonly [string, Buffer][] },
): Buffer {
  const header = Buffer.alloc(10);
  header[0] = profile === undefined ? 0x0c : 0x2c;
  header.writeUIntLE(plain.readUInt16LE(26) - 1, 4, 3);
  header.writeUIntLE(plain.readUInt16LE(28) - 1, 7, 3);
  return riffChunk(
    "RIFF",
    Buffer.concat([
      Buffer.from("WEBP"),
      riffChunk("VP8X", header),
      ...(profile === undefined ? [] : [riffChunk("ICCP", profile)]),
      plain.subarray(12),
      ...after.map(([type, content]) => riffChunk(type, content)),
    ]),
  );
}

/** An animated WebP of plain ones, each a frame at the upper left corner; it is as large as the first. */
export function animatedWebp(frames: readonly Buffer[], profile?: Buffer): Buffer {
  const [first = Buffer.alloc(30)] = frames;
  const header = Buffer.alloc(10);
  header[0] = profile === undefined ? 0x02 : 0x22;
  sizeOfWebp(first).copy(header, 4);
  const animated = frames.map((webp) => {
    const place = Buffer.concat([Buffer.alloc(6), sizeOfWebp(webp), Buffer.from([100, 0, 0, 0])]);
    return riffChunk("ANMF", Buffer.concat([place, webp.subarray(12)]));
  });
  return riffChunk(
    "RIFF",
    Buffer.concat([
      Buffer.from("WEBP"),
      riffChunk("VP8X", header),
      ...(profile === undefined ? [] : [riffChunk("ICCP", profile)]),
      riffChunk("ANIM", Buffer.alloc(6)),
      ...animated,
    ]),
  );
}

/** The sides of a plain WebP less one, as the heads of animations have them. */
function sizeOfWebp(plain: Buffer): Buffer {
  const size = Buffer.alloc(6);
  size.writeUIntLE(Math.max(0, plain.readUInt16LE(26) - 1), 0, 3);
  size.writeUIntLE(Math.max(0, plain.readUInt16LE(28) - 1), 3, 3);
  return size;
}

/** The types of the chunks of a WebP, in order. */
export function chunkTypes(webp: Buffer): string[] {
  const types: string[] = [];
  for (let at = 12; at < webp.length;) {
    types.push(webp.toString("latin1", at, at + 4));
    const bytes = webp.readUInt32LE(at + 4);
    at += 8 + bytes + (bytes % 2);
  }
  return types;
}
