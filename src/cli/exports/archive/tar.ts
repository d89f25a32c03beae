// The format of tar (POSIX.1-1988, ustar), written and read as a stream. Names of an archive are short and in ASCII; the
// size of a file that is larger than its field has room for is in base 256, as GNU tar writes it.

import { createReadStream } from "node:fs";

import type { ArchiveFile } from "./archive-files.ts";

const BLOCK = 512;
const NAME_BYTES = 100;
/** The largest size in eleven octal digits. */
const OCTAL_MAX = 0o77777777777;
const OWNER_ONLY_FILE = 0o600;
const SECOND_MS = 1_000;
const NUL = "\0";
const NUL_CODE = 0;
const [CHECKSUM_FROM, CHECKSUM_TO] = [148, 156];
const TYPE_AT = 156;
/** The character 5. */
const FOLDER_TYPE = 0x35;
const [SIZE_FROM, SIZE_TO] = [124, 136];
/** Marks a number in base 256. */
const BASE_256 = 0x80;

/** A file of a tar, whose bytes are read before the next one. */
export interface TarEntry {
  readonly name: string;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** The bytes of a tar with these files, written at this instant. */
export async function* writeTar(
  files: AsyncIterable<ArchiveFile>,
  writtenAt: number,
): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes, content } of files) {
    yield headerOf(name, bytes, writtenAt);
    if (typeof content === "string") yield* createReadStream(content);
    else yield content;
    yield new Uint8Array(paddingOf(bytes));
  }
  yield new Uint8Array(2 * BLOCK);
}

/** Yields each file of a tar, no folder. Throws RangeError where it ends too early. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new TarInput(bytes);
  for (;;) {
    const header = await input.block();
    if (header.every((byte) => byte === NUL_CODE)) return;
    const size = sizeIn(header);
    const [name = ""] = new TextDecoder().decode(header.subarray(0, NAME_BYTES)).split(NUL);
    if (header[TYPE_AT] !== FOLDER_TYPE) yield { name, parts: input.parts(size) };
    for await (const _ of input.parts(paddingOf(size))) {
      // Blocks are whole.
    }
  }
}

function headerOf(name: string, size: number, writtenAt: number): Uint8Array {
  if (name.length > NAME_BYTES) throw new RangeError(`The name ${name} is too long for a tar.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, NAME_BYTES, "latin1");
  header.write(octal(OWNER_ONLY_FILE, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  writeSize(header, size);
  header.write(octal(Math.floor(writtenAt / SECOND_MS), 11), 136);
  // The sum counts its own field as spaces.
  header.fill(" ", CHECKSUM_FROM, CHECKSUM_TO);
  header.write("0", TYPE_AT);
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, CHECKSUM_FROM);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0") + NUL;
}

function writeSize(header: Buffer, size: number): void {
  if (size <= OCTAL_MAX) {
    header.write(octal(size, SIZE_TO - SIZE_FROM - 1), SIZE_FROM);
    return;
  }
  header.writeBigUInt64BE(BigInt(size), SIZE_TO - 8);
  header.writeUInt8(BASE_256, SIZE_FROM);
}

function sizeIn(header: Uint8Array): number {
  const field = Buffer.from(header.subarray(SIZE_FROM, SIZE_TO));
  if (field[0] === BASE_256) return Number(field.readBigUInt64BE(field.length - 8));
  return Number.parseInt(field.toString("latin1"), 8);
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** The bytes of a stream, taken in pieces of other sizes than they come in. */
class TarInput {
  readonly #source: AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async block(): Promise<Uint8Array> {
    return Buffer.concat(await Array.fromAsync(this.parts(BLOCK)));
  }

  /** Yields exactly so many bytes. */
  async *parts(bytes: number): AsyncGenerator<Uint8Array> {
    for (let missing = bytes; missing > 0;) {
      if (this.#left.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) throw new RangeError("The archive ends too early.");
        this.#left = next.value;
      }
      const part = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }
}
