// Files as texts of the database: packed, in base64.

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The bytes or the text, packed. */
export async function packed(content: Uint8Array | string): Promise<string> {
  return (await pack(content)).toString("base64");
}

/** The bytes of what was packed, of which there are at most so many. */
export async function unpacked(text: string, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await unpack(Buffer.from(text, "base64"), { maxOutputLength: bytesMax });
  return new Uint8Array(bytes);
}
