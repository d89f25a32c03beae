// Color profiles: those that this program writes are made here, byte for byte, and of a foreign one only its space and
// nine numbers are read. A profile can have megabytes of anything, and every browser would load it.

/** Red, green and blue, each as X, Y and Z under the light D50. */
type Primaries = readonly number[];

interface OwnProfile {
  readonly name: string;
  readonly primaries: Primaries;
  /** A parametric curve of ICC.1:2022, section 10.18: its type, then its parameters. */
  readonly curve: readonly [type: number, ...parameters: number[]];
}

/** The curve of sRGB, which Display P3 has too. */
const SRGB_CURVE = [3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

const OWN: readonly OwnProfile[] = [
  {
    name: "P3",
    primaries: [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841],
    curve: SRGB_CURVE,
  },
  {
    name: "Adobe RGB",
    primaries: [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446],
    curve: [0, 563 / 256],
  },
];

/** The white of every profile. */
const D50 = [0.9642, 1, 0.8249];
/** More than programs differ by in rounding, and far less than two spaces differ by. */
const ALIKE = 0.002;

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const PRIMARY_TAGS = ["rXYZ", "gXYZ", "bXYZ"];
const XYZ_BYTES = 20;
const FIXED = 65_536;

/** Returns this program's profile of the space that the given one describes; null where that is sRGB, or unknown. */
export function ownProfileFor(profile: Uint8Array): Uint8Array | null {
  const found = readPrimaries(Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength));
  if (found === null) return null;
  const own = OWN.find(({ primaries }) =>
    primaries.every((value, index) => Math.abs(value - (found[index] ?? Infinity)) <= ALIKE),
  );
  return own === undefined ? null : writeProfile(own);
}

/** Null for a profile of another kind, or one that does not add up. */
function readPrimaries(profile: Buffer): Primaries | null {
  if (profile.length < HEADER_BYTES + 4) return null;
  if (profile.toString("latin1", 16, 24) !== "RGB XYZ ") return null;
  // More tags than any program writes are not looked through.
  const tags = Math.min(profile.readUInt32BE(HEADER_BYTES), 100);
  const found = new Map<string, readonly number[]>();
  for (let tag = 0; tag < tags; tag += 1) {
    const at = HEADER_BYTES + 4 + tag * TAG_BYTES;
    if (at + TAG_BYTES > profile.length) return null;
    const xyz = readXyz(profile, profile.readUInt32BE(at + 4));
    if (xyz !== null) found.set(profile.toString("latin1", at, at + 4), xyz);
  }
  return PRIMARY_TAGS.flatMap((tag) => found.get(tag) ?? []);
}

function readXyz(profile: Buffer, at: number): readonly number[] | null {
  if (at + XYZ_BYTES > profile.length || profile.toString("latin1", at, at + 4) !== "XYZ ") {
    return null;
  }
  return [8, 12, 16].map((offset) => profile.readInt32BE(at + offset) / FIXED);
}

/** Both have 420 bytes: version 4, a matrix and one curve for all three colors. */
function writeProfile({ name, primaries, curve }: OwnProfile): Uint8Array {
  const xyz = (from: number) => element("XYZ ", fixed(primaries.slice(from, from + 3)));
  const [type, ...parameters] = curve;
  const transfer = element("para", Buffer.from([0, type, 0, 0]), fixed(parameters));
  const tags: readonly (readonly [string, Buffer])[] = [
    ["desc", words(name)],
    ["cprt", words("CC0")],
    ["wtpt", element("XYZ ", fixed(D50))],
    ["rXYZ", xyz(0)],
    ["gXYZ", xyz(3)],
    ["bXYZ", xyz(6)],
    ["rTRC", transfer],
    ["gTRC", transfer],
    ["bTRC", transfer],
  ];
  // A curve that three tags share stands there once.
  const elements = [...new Set(tags.map(([, content]) => content))];
  const begin = HEADER_BYTES + 4 + tags.length * TAG_BYTES;
  const placeOf = (content: Buffer) =>
    begin +
    elements.slice(0, elements.indexOf(content)).reduce((sum, { length }) => sum + length, 0);
  const table = tags.map(([tag, content]) =>
    Buffer.concat([Buffer.from(tag), whole(placeOf(content), content.length)]),
  );
  const body = Buffer.concat([whole(tags.length), ...table, ...elements]);
  return Buffer.concat([header(HEADER_BYTES + body.length), body]);
}

function header(bytes: number): Buffer {
  const made = Buffer.alloc(HEADER_BYTES);
  made.writeUInt32BE(bytes, 0);
  made.writeUInt32BE(0x04200000, 8);
  made.write("mntrRGB XYZ ", 12, "latin1");
  // The day is the same in each, so that the same picture has the same bytes.
  [2026, 1, 1].forEach((part, index) => made.writeUInt16BE(part, 24 + index * 2));
  made.write("acsp", 36, "latin1");
  fixed(D50).copy(made, 68);
  return made;
}

/** An element of a type, filled up to a multiple of four bytes. */
function element(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), whole(0), ...parts]);
  return Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
}

/** A text in one language. */
function words(text: string): Buffer {
  const [records, recordBytes, textAt] = [1, 12, 28];
  const utf16 = Buffer.from(text, "utf16le").swap16();
  const language = Buffer.from("enUS", "latin1");
  return element("mluc", whole(records, recordBytes), language, whole(utf16.length, textAt), utf16);
}

function fixed(values: readonly number[]): Buffer {
  return whole(...values.map((value) => Math.round(value * FIXED)));
}

/** Numbers of 32 bits, big end first. */
function whole(...values: readonly number[]): Buffer {
  const made = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => made.writeInt32BE(value, index * 4));
  return made;
}
