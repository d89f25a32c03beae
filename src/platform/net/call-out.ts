// Sends webhooks to addresses that merchants chose.

import { monotonicMs } from "#kernel/time.ts";

import { type AskOptions, openAsk } from "./ask.ts";
import type { CallFailure } from "./call-failure.ts";
import type { Reach } from "./target-url.ts";

export interface OutboundCall {
  /** Checked by `targetFaults` when it was registered. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly reach: Reach;
  /** Covers name resolution, connection, TLS, headers and body. 15 s by default. */
  readonly timeoutMs?: number;
  /** Ends the call early, with the failure `timeout`. */
  readonly signal?: AbortSignal;
}

export interface CallResult {
  /** The response's status; set beside a failure if only the body broke off. */
  readonly status: number | null;
  /** Null if the response arrived, whatever its status. */
  readonly failure: CallFailure | null;
  /** The address that was connected to, or tried last; null if there was none. */
  readonly address: string | null;
  readonly headers: Headers | null;
  /** The first 16 KiB of the body as text, without NUL. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** Sends one POST. Never rejects because of the network or the receiver. */
export type CallOut = (call: OutboundCall) => Promise<CallResult>;

const CALL_MS_MAX = 15_000;
/** The part of a body that is told: enough for an error message with its stack. */
const EXCERPT_BYTES_MAX = 16_384;

/** Opens a `CallOut` with its own connection pool. */
export function openCallOut(options: AskOptions = {}): CallOut {
  const ask = openAsk(options);
  return async ({ body: content, timeoutMs = CALL_MS_MAX, ...call }) => {
    const startedAtMs = monotonicMs();
    const { bytes, ...reply } = await ask({
      ...call,
      method: "POST",
      body: { type: "application/json", content },
      reads: "beginning",
      timeoutMs,
    });
    return {
      status: reply.status,
      failure: reply.failure,
      address: reply.address,
      headers: reply.headers,
      excerpt: excerptOf(bytes),
      durationMs: monotonicMs() - startedAtMs,
    };
  };
}

/** A character cut by the limit is dropped; one that the sender broke becomes U+FFFD. */
function excerptOf(bytes: Uint8Array): string {
  const isCut = bytes.length >= EXCERPT_BYTES_MAX;
  const decoder = new TextDecoder();
  const text = decoder.decode(bytes.subarray(0, EXCERPT_BYTES_MAX), { stream: isCut });
  return text.replaceAll("\0", "\uFFFD");
}
