// Receivers of what the shop sends: a well-behaved one on loopback that remembers every request, for
// any test that delivers something.

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body byte for byte, which is what a signature covers. */
  readonly bytes: Uint8Array;
  /** When its last byte had arrived, in epoch milliseconds. */
  readonly at: number;
}

export interface ReceiverTerms {
  /** What it says to a request; `nth` counts from 1. Without it, 204. */
  readonly answer?: (request: Received, nth: number) => Response | Promise<Response>;
  /** Where it listens, to come back after it was closed. Any free port else. */
  readonly port?: number;
}

export interface Receiver extends AsyncDisposable {
  /** Where it listens, on 127.0.0.1 over plain HTTP, with a path. */
  readonly url: string;
  readonly port: number;
  /** Everything that arrived, oldest first. */
  readonly received: readonly Received[];
  /**
   * The next `count` requests that no earlier `next` has answered, as soon as all of them are here;
   * what arrived before the call counts.
   */
  next(count?: number): Promise<readonly Received[]>;
}

interface Wait {
  readonly count: number;
  readonly resolve: (arrived: readonly Received[]) => void;
}

/** Opens a receiver; disposing it cuts every connection it has. */
export function openReceiver(terms: ReceiverTerms = {}): Receiver {
  const received: Received[] = [];
  const waits: Wait[] = [];
  let handedOut = 0;
  const handOut = () => {
    for (let wait = waits[0]; wait !== undefined; wait = waits[0]) {
      if (received.length - handedOut < wait.count) return;
      waits.shift();
      wait.resolve(received.slice(handedOut, handedOut + wait.count));
      handedOut += wait.count;
    }
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: terms.port ?? 0,
    idleTimeout: 0,
    development: false,
    fetch: async (request) => {
      const arrived = await receive(request);
      const nth = received.push(arrived);
      handOut();
      return terms.answer?.(arrived, nth) ?? new Response(null, { status: 204 });
    },
  });
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    next: (count = 1) =>
      new Promise((resolve) => {
        waits.push({ count, resolve });
        handOut();
      }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function receive(request: Request): Promise<Received> {
  const bytes = await request.bytes();
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: `${pathname}${search}`,
    headers: request.headers,
    body: new TextDecoder().decode(bytes),
    bytes,
    at: Date.now(),
  };
}
