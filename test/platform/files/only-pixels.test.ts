// What is kept of a WebP file: its pixels, and at most a color profile of this program's own.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { isWholeWebp, onlyPixels } from "#platform/files/only-pixels.ts";

import {
  ADOBE_RGB,
  chunkTypes,
  colorProfile,
  DISPLAY_P3,
  extendedWebp,
  picture,
  SRGB,
} from "../../support/pictures.ts";

const plain = await picture("webp", 60, 40);
const lossless = await new Bun.Image(plain).webp({ lossless: true }).buffer();

const kept = (webp: Uint8Array): Buffer => Buffer.from(onlyPixels(webp)?.bytes ?? []);

/** The profile that the file has. */
function profileOf(webp: Buffer): Buffer {
  const at = webp.indexOf("ICCP");
  return at === -1 ? Buffer.alloc(0) : webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4));
}

describe("of a WebP file", () => {
  test("that is pixels alone each byte is kept", () => {
    expect(kept(plain)).toEqual(plain);
    expect(kept(lossless)).toEqual(lossless);
    expect(onlyPixels(plain)).toMatchObject({ width: 60, height: 40 });
    expect(onlyPixels(lossless)).toMatchObject({ width: 60, height: 40 });
  });

  test("nothing is kept of position, camera, scripts and chunks of any other name", () => {
    const secret = Buffer.from("<script>alert(1)</script> GPS");
    const names = ["EXIF", "XMP ", "ANIM", "ANMF", "junk"];
    const tagged = extendedWebp(plain, { after: names.map((name) => [name, secret]) });

    const clean = kept(tagged);

    expect(chunkTypes(clean)).toEqual(["VP8X", "VP8 "]);
    expect(clean.includes("script")).toBe(false);
    expect(clean.length).toBe(plain.length + 18);
  });

  test("transparency is kept", async () => {
    const pixels = Buffer.alloc(20 * 20 * 4, 0x80);
    const see = await new Bun.Image(bitmapWithAlpha(20, 20, pixels)).webp({ quality: 80 }).buffer();

    expect(chunkTypes(see)).toContain("ALPH");
    expect(kept(see)).toEqual(see);
  });

  test.each([
    ["Display P3", DISPLAY_P3],
    ["Adobe RGB", ADOBE_RGB],
  ])("a profile of %s becomes this program's own, whatever else it holds", (_, primaries) => {
    const foreign = colorProfile(primaries, 100_000).fill("<script>", 400);
    const rounded = colorProfile(primaries.map((value) => value + 0.0015));

    const clean = kept(extendedWebp(plain, { profile: foreign }));

    expect(chunkTypes(clean)).toEqual(["VP8X", "ICCP", "VP8 "]);
    expect(profileOf(clean)).toHaveLength(420);
    expect(clean.includes("script")).toBe(false);
    expect(kept(extendedWebp(plain, { profile: rounded }))).toEqual(clean);
    expect(kept(clean)).toEqual(clean);
  });

  test.each([
    ["sRGB", colorProfile(SRGB)],
    ["a space that is near none of them", colorProfile(DISPLAY_P3.map((value) => value + 0.003))],
    ["another kind", Buffer.from(colorProfile(DISPLAY_P3)).fill("CMYKLab ", 16, 24)],
    ["no tags", Buffer.alloc(132)],
    ["tags that lie outside of it", Buffer.from(colorProfile(DISPLAY_P3)).fill(0xff, 128, 290)],
    ["some bytes", Buffer.from("none")],
    ["nothing", Buffer.alloc(0)],
  ])("a profile of %s goes", (_, profile) => {
    expect(chunkTypes(kept(extendedWebp(plain, { profile })))).toEqual(["VP8X", "VP8 "]);
  });

  test("nothing is kept where its lengths do not add up, or it is no single picture", () => {
    const longer = Buffer.from(plain);
    longer.writeUInt32LE(plain.length, 4);
    const inside = Buffer.from(plain);
    inside.writeUInt32LE(plain.length, 16);
    const twice = extendedWebp(plain, { after: [["VP8 ", plain.subarray(20)]] });
    const cases = [longer, inside, twice, plain.subarray(0, -2), plain.subarray(0, 12)];
    const others = [Buffer.concat([plain, Buffer.from("PK")]), Buffer.alloc(0), Buffer.from("GIF")];

    expect([...cases, ...others].map(onlyPixels)).toEqual(Array(8).fill(null));
    expect([longer, inside, twice].map(isWholeWebp)).toEqual([false, false, true]);
  });

  test("nothing is kept where it has more bytes than its pixels need", () => {
    const padded = Buffer.concat([plain.subarray(20), Buffer.alloc(3 * 60 * 40 + 1024)]);
    const stuffed = extendedWebp(plain, { after: [["EXIF", padded]] });
    const hidden = Buffer.concat([plain.subarray(0, 20), padded]);
    hidden.writeUInt32LE(hidden.length - 8, 4);
    hidden.writeUInt32LE(padded.length, 16);

    expect(onlyPixels(hidden)).toBeNull();
    expect(onlyPixels(stuffed)).not.toBeNull();
  });
});

test("whatever is sent, what is kept is small, whole, and kept again as it is", () => {
  const name = fc.constantFrom("VP8X", "ICCP", "ALPH", "VP8 ", "VP8L", "EXIF", "ANMF", "any ");
  const bytes = fc.uint8Array({ maxLength: 3000 }).map((given) => Buffer.from(given));
  const profile = fc.constantFrom(undefined, colorProfile(DISPLAY_P3, 5000), Buffer.alloc(9));
  const after = fc.array(fc.tuple(name, bytes), { maxLength: 4 });
  const damage = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 3 });

  fc.assert(
    fc.property(profile, after, damage, (given, chunks, changes) => {
      const webp = extendedWebp(plain, {
        after: chunks,
        ...(given === undefined ? {} : { profile: given }),
      });
      for (const [at, value] of changes) webp[at % webp.length] = value;

      const clean = onlyPixels(webp);

      if (clean === null) return;
      expect(clean.bytes.length).toBeLessThanOrEqual(3 * clean.width * clean.height + 1024);
      expect(kept(clean.bytes)).toEqual(Buffer.from(clean.bytes));
    }),
    { numRuns: 2000 },
  );
});

/** A bitmap of version 4, whose pixels are blue, green, red and alpha. */
function bitmapWithAlpha(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(122);
  header.write("BM");
  header.writeUInt32LE(header.length + pixels.length, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(108, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(32, 28);
  header.writeUInt32LE(3, 30);
  [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000].forEach((mask, index) =>
    header.writeUInt32LE(mask, 54 + index * 4),
  );
  return Buffer.concat([header, pixels]);
}
