// Reads the body of a response. Invariant: at most the limit and one chunk are read, however much the sender
// sends.

export interface ReadBody {
  /** At most as many bytes as the limit says. */
  readonly bytes: Uint8Array;
  /** True if the body is longer. */
  readonly isCut: boolean;
  /** The error that ended reading; null if the body ended or exceeded the limit. */
  readonly error: unknown;
}

/** Reads the body up to the limit and discards the rest. Never rejects. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<ReadBody> {
  const kept: Uint8Array[] = [];
  let error: unknown = null;
  let seen = 0;
  try {
    for await (const chunk of body ?? []) {
      kept.push(chunk.subarray(0, bytesMax - seen));
      seen += chunk.length;
      if (seen > bytesMax) break;
    }
  } catch (broken) {
    error = broken ?? new Error("The body ended early");
  }
  return { bytes: Buffer.concat(kept), isCut: seen > bytesMax, error };
}
