// Calls of the operator's own object store, whose answers are read part by part. Invariant: what is not taken is not
// read, since Bun then reads no more of the connection than its buffers hold; and the time limit is one for silence of
// the other side, however long an answer is and however slowly it is taken.

import { asSentence, webUrl } from "./call-anywhere.ts";

export interface PartsCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The longest silence of the other side: until its headers, and until each part. */
  readonly silenceMs: number;
  /** Ends the call, also while its parts are read. */
  readonly signal?: AbortSignal | undefined;
}

/** A body that is read as it is wanted. Its receiver reads it to its end, or ends it. */
export interface Parts {
  /** The next part; null at the end. Rejects with a readable sentence where the body breaks off. */
  readonly next: () => Promise<Uint8Array | null>;
  /** Ends the call. Nothing is read from then on. */
  readonly end: () => void;
}

export interface PartsAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly parts: Parts;
}

/**
 * Sends one request without following redirects. Resolves with its headers, and rejects with a readable sentence if none
 * arrived. Certificates are verified also where the environment switches that off.
 */
export async function callForParts(call: PartsCall): Promise<PartsAnswer> {
  const url = webUrl(call.url);
  const ending = new AbortController();
  const { signal } = call;
  let isLate = false;
  const end = () => ending.abort();
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, call.silenceMs);
    try {
      return await work();
    } catch (error) {
      end();
      throw asSentence(error, { url, isLate });
    } finally {
      clearTimeout(timer);
    }
  };
  const { status, headers, body } = await inTime(() =>
    fetch(url, {
      method: call.method,
      headers: call.headers,
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: "manual",
      proxy: false,
      decompress: false,
      tls: { rejectUnauthorized: true },
      signal: signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]),
    }),
  );
  const reader = body?.getReader();
  const next = () => inTime(async () => (await reader?.read())?.value ?? null);
  return { status, headers, parts: { next, end } };
}

/** The whole body. Throws if it has more bytes than these. */
export async function wholeOf({ next, end }: Parts, bytesMax: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await next(); part !== null; part = await next()) {
    kept.push(part);
    bytes += part.length;
    if (bytes > bytesMax) {
      end();
      throw new Error(`The answer has more than ${bytesMax} bytes.`);
    }
  }
  return Buffer.concat(kept);
}
