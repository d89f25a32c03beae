// Receives request bodies. Invariant: what bodies hold in memory while they arrive is bounded, for one
// body, for one address without a key, and for the whole server. Callers that strangers can imitate have
// budgets of their own, so that they take nothing from callers with a secret key.

const MIB = 1_048_576;

/** Who sends a body: a request without a key, a publishable key, or a secret key. */
export type Audience = "keyless" | "public" | "secret";

/** Bytes that arriving bodies of each audience hold together. */
const BUDGET_BYTES: Readonly<Record<Audience, number>> = {
  keyless: 16 * MIB,
  public: 16 * MIB,
  secret: 32 * MIB,
};
/**
 * Unfinished bodies of one address without a key. Loopback is not counted while the shop has no public URL: it is the
 * operator's alone, and the shop's own courier's.
 */
const UNFINISHED_MAX = 4;
/** A body that announces at most this much is counted whole when it begins, and read at once. */
const AT_ONCE_BYTES_MAX = 65_536;
/**
 * The terms on which a refused body is read to its end. A proxy that still sends as the connection ends hands on no
 * answer, so the largest file of a secret key is read as long as it goes on arriving.
 */
const DISCARDED = {
  keyless: { withinMs: 1_000, bytesMax: MIB, perPiece: false },
  secret: { withinMs: 1_000, bytesMax: 68 * MIB, perPiece: true },
} as const satisfies Partial<Record<Audience, unknown>>;

/** Bodies end within seconds, so memory is free soon. */
export const BUSY_RETRY_SECONDS = "1";

export interface BodyTerms {
  readonly audience: Audience;
  readonly bytesMax: number;
  /** For the whole body, milliseconds; null leaves it to the timeout of idle connections. */
  readonly withinMs: number | null;
}

/**
 * Why there is no body: it is too large or too late, its sender disconnected, or the server holds as
 * many unfinished bodies as it may. The rest of the body was not read, so the connection must be closed.
 */
export type BodyFault = "too_large" | "too_late" | "cut_off" | "too_busy";

const statusOfFault: Readonly<Record<BodyFault, number>> = {
  too_large: 413,
  too_late: 408,
  cut_off: 400,
  too_busy: 503,
};

/** The reply of routes without API keys, which is a bare status. */
export function unreadReply(fault: BodyFault) {
  const retry = fault === "too_busy" ? { "Retry-After": BUSY_RETRY_SECONDS } : {};
  return { status: statusOfFault[fault], headers: { Connection: "close", ...retry } };
}

export class Bodies {
  readonly #addressOf: (request: Request) => string | null;
  readonly #heldBytes: Record<Audience, number> = { keyless: 0, public: 0, secret: 0 };
  /** Unfinished bodies by address. */
  readonly #unfinished = new Map<string, number>();

  /** Requests without a counted address are not bounded by it. */
  constructor(addressOf: (request: Request) => string | null) {
    this.#addressOf = addressOf;
  }

  /** The whole body; empty if there is none. */
  async receive(request: Request, terms: BodyTerms): Promise<Uint8Array | BodyFault> {
    if (request.body === null) return new Uint8Array();
    if (announcedBytes(request) > terms.bytesMax) return "too_large";
    using place = this.#begin(request, terms.audience);
    if (place === null) return "too_busy";
    try {
      return await receiveAt(place, request, { ...terms, body: request.body });
    } catch (error) {
      if (!request.signal.aborted) throw error;
      return "cut_off";
    }
  }

  /**
   * Reads and drops the rest of a body, so that the connection can be reused: otherwise the next
   * request would begin inside it. False if that takes too long.
   */
  async discard(request: Request, audience: keyof typeof DISCARDED = "keyless"): Promise<boolean> {
    if (request.bodyUsed || request.body === null) return true;
    const terms = DISCARDED[audience];
    if (announcedBytes(request) > terms.bytesMax) return false;
    using place = this.#begin(request, audience);
    if (place === null) return false;
    try {
      return typeof (await readCounted(request.body, { ...terms, keep: null })) !== "string";
    } catch {
      // The sender has disconnected.
      return false;
    }
  }

  /** Null if the address has too many unfinished bodies. */
  #begin(request: Request, audience: Audience): Place | null {
    const address = audience === "keyless" ? this.#addressOf(request) : null;
    const isCounted = address !== null;
    const unfinished = isCounted ? (this.#unfinished.get(address) ?? 0) : 0;
    if (unfinished >= UNFINISHED_MAX) return null;
    if (isCounted) this.#unfinished.set(address, unfinished + 1);
    let held = 0;
    return {
      hold: (bytes) => {
        if (this.#heldBytes[audience] + bytes > BUDGET_BYTES[audience]) return false;
        this.#heldBytes[audience] += bytes;
        held += bytes;
        return true;
      },
      [Symbol.dispose]: () => {
        this.#heldBytes[audience] -= held;
        if (isCounted) this.#end(address);
      },
    };
  }

  #end(address: string): void {
    const left = (this.#unfinished.get(address) ?? 0) - 1;
    if (left > 0) this.#unfinished.set(address, left);
    else this.#unfinished.delete(address);
  }
}

/** One unfinished body. */
interface Place extends Disposable {
  /** Counts bytes of the body; false if the budget is used up. */
  hold(bytes: number): boolean;
}

async function receiveAt(
  place: Place,
  request: Request,
  { body, ...terms }: BodyTerms & { readonly body: ReadableStream<Uint8Array> },
): Promise<Uint8Array | BodyFault> {
  const announced = announcedBytes(request);
  const isSmall = announced <= AT_ONCE_BYTES_MAX;
  if (isSmall && !place.hold(announced)) return "too_busy";
  if (isSmall && terms.withinMs === null) return request.bytes();
  return readCounted(body, { ...terms, keep: (bytes) => isSmall || place.hold(bytes) });
}

interface ReadTerms {
  readonly bytesMax: number;
  readonly withinMs: number | null;
  /** True if that is the time for each piece, and not for the whole. */
  readonly perPiece?: boolean;
  /** Called for each piece before it is kept; null if pieces are dropped. */
  readonly keep: ((bytes: number) => boolean) | null;
}

async function readCounted(
  stream: ReadableStream<Uint8Array>,
  { bytesMax, keep, ...time }: ReadTerms,
): Promise<Uint8Array | BodyFault> {
  const reader = stream.getReader();
  using patience = openPatience(time);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), patience.late]);
      if (read === null) return "too_late";
      if (read.done) return Buffer.concat(chunks);
      patience.onPiece();
      size += read.value.byteLength;
      if (size > bytesMax) return "too_large";
      if (keep?.(read.value.byteLength) === false) return "too_busy";
      if (keep !== null) chunks.push(read.value);
    }
  } finally {
    // Resolves at once after the end. A sender that has disconnected makes it reject.
    reader.cancel().catch(() => undefined);
  }
}

/** The time of a body; `late` resolves once it is over. */
function openPatience({ withinMs, perPiece = false }: Pick<ReadTerms, "withinMs" | "perPiece">) {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = withinMs === null ? null : setTimeout(() => resolve(null), withinMs);
  return {
    late,
    onPiece: () => {
      if (perPiece) timer?.refresh();
    },
    [Symbol.dispose]: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** NaN, which is neither too much nor little, if the body does not say. */
function announcedBytes(request: Request): number {
  return Number(request.headers.get("content-length") ?? Number.NaN);
}
