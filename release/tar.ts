// Writes tar files whose bytes follow from their entries alone: sorted by name, of one time, with owners by number.

/** A file or a folder of an archive. */
export interface Entry {
  /** Its path; that of a folder ends with a slash. */
  readonly path: string;
  readonly bytes?: string | Uint8Array;
  /** Its permissions; by default 0644, and 0755 of a folder. */
  readonly mode?: number;
  /** The number of its user and its group; by default 0. */
  readonly owner?: number;
}

/** A file that is part of a release. */
export interface ReleaseFile {
  /** Its path in the folder of the release. */
  readonly path: string;
  readonly bytes: string | Uint8Array;
}

const BLOCK = 512;
/** The format without extensions has room for shorter paths. */
const PATH_BYTES_MAX = 100;
/** A higher level takes twice the time for half a percent. */
const GZIP_LEVEL = 6;

/** The archive of the entries; the time is that of each of them, seconds. */
export function tarOf(entries: readonly Entry[], time: number): Uint8Array<ArrayBuffer> {
  const blocks = entries
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap((entry) => {
      const bytes = Buffer.from(entry.bytes ?? "");
      const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
      return [headerOf(entry, bytes.length, time), bytes, padding];
    });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** The bytes compressed. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, { library: "libdeflate", level: GZIP_LEVEL });
}

function headerOf({ path, mode, owner = 0 }: Entry, size: number, time: number): Buffer {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) throw new Error(`${path} is too long for tar.`);
  const isFolder = path.endsWith("/");
  const header = Buffer.alloc(BLOCK);
  header.write(path);
  const numbers: readonly [at: number, digits: number, value: number][] = [
    [100, 7, mode ?? (isFolder ? 0o755 : 0o644)],
    [108, 7, owner],
    [116, 7, owner],
    [124, 11, size],
    [136, 11, time],
  ];
  for (const [at, digits, value] of numbers) header.write(octal(value, digits), at);
  header.write(isFolder ? "5" : "0", 156);
  header.write("ustar\u000000", 257);
  // The sum is counted with blanks in its own place.
  header.write(" ".repeat(8), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
