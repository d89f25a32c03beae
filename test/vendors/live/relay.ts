// Stands on loopback between a gateway and its vendor, passes every call on as it is, and remembers it.

/** A call as it was made and answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly body: string;
  readonly status: number;
  readonly headers: Headers;
  readonly answer: string;
}

export class Relay implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  #exchanges: Exchange[] = [];

  /** `address` is the vendor's, without a final slash. */
  constructor(address: string) {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 60,
      fetch: (request) => this.#pass(address, request),
    });
  }

  get address(): string {
    return this.#server.url.href.replace(/\/$/, "");
  }

  /** The calls since they were last taken, oldest first. */
  take(): readonly Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(address: string, request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url);
    const body = await request.text();
    const headers = new Headers(request.headers);
    headers.delete("host");
    headers.delete("accept-encoding");
    const response = await fetch(`${address}${path}${search}`, {
      method: request.method,
      headers,
      redirect: "manual",
      ...(body !== "" && { body }),
    }).catch(() => null);
    // To the gateway the vendor's silence is as unclear as a proxy's word for it.
    if (response === null) return new Response("", { status: 502 });
    const answer = await response.text();
    const contentType = request.headers.get("content-type") ?? "";
    const call = { method: request.method, path, query: search.slice(1), contentType, body };
    const { status } = response;
    this.#exchanges.push({ ...call, status, headers: response.headers, answer });
    const type = response.headers.get("content-type") ?? "application/json";
    const wait = response.headers.get("retry-after");
    const kept = { "content-type": type, ...(wait !== null && { "retry-after": wait }) };
    return new Response(answer, { status, headers: kept });
  }
}
