// Pictures for tests: made of a bitmap by the program's own encoder, with what cameras write into them added by hand.

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

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, sum]);
}

function riffChunk(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}
