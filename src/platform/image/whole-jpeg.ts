// Tells whether a JPEG has its end. Decoders paint what is missing grey and say nothing.

const MARKER = 0xff;
const END = 0xd9;
/** True of a byte after 0xff that begins no segment: a stuffed byte, a restart of the scan, or another 0xff. */
const isBare = (byte: number) => byte === 0x00 || byte === 0x01 || (byte >= 0xd0 && byte <= 0xd8);

/** Skips each segment as a whole, since the one of a camera has a small JPEG with an end of its own. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(MARKER); at !== -1; at = bytes.indexOf(MARKER, at)) {
    const [, byte = 0, high = 0, low = 0] = bytes.subarray(at, at + 4);
    if (byte === END) return true;
    if (byte === MARKER) at += 1;
    else at += isBare(byte) ? 2 : 2 + high * 256 + low;
  }
  return false;
}
