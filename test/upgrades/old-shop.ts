// A shop as a client of any release sees it: what its own document does not name is not asked of it.

import { Answered } from "../support/shop.ts";

export type Json = Readonly<Record<string, unknown>>;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** The release has no such operation. */
export class NotThere extends Error {}

export class OldShop {
  readonly #url: string;
  readonly #key: string;
  readonly #document: Json;

  constructor(terms: { readonly url: string; readonly key: string; readonly document: Json }) {
    this.#url = terms.url;
    this.#key = terms.key;
    this.#document = terms.document;
  }

  get isLive(): boolean {
    return this.#key.startsWith("live_");
  }

  /** The address of the inbox of test mode. */
  get inbox(): string {
    return `${this.#url}/hooks/test/inbox/shop`;
  }

  /** The paths that can be read. */
  get readable(): string[] {
    const paths = Object.entries(objectOf(this.#document["paths"]));
    return paths.flatMap(([path, methods]) => ("get" in objectOf(methods) ? [path] : []));
  }

  /**
   * Sends a change such as `PUT /v2/orders/{id}/cancel`, with the members of the body that the release knows. Throws
   * NotThere if it does not have the operation, and the answer if it is refused.
   */
  async act(operation: string, body: Json = {}, ...ids: readonly string[]): Promise<Answered> {
    const [method = "", path = ""] = operation.split(" ");
    const described = objectOf(objectOf(this.#document["paths"])[path])[method.toLowerCase()];
    if (described === undefined || (this.isLive && path.startsWith("/v2/test/")))
      throw new NotThere(operation);
    const known = this.#membersOf(objectOf(described));
    const given = Object.entries(body).filter(([name]) => known.includes(name));
    const { order_id: order } = body;
    // An order is paid at most once here.
    const retried = typeof order === "string" ? { "Idempotency-Key": order } : undefined;
    return this.#send(method, filled(path, ids), {
      headers: { "Content-Type": "application/json", ...retried },
      body: JSON.stringify(Object.fromEntries(given)),
    });
  }

  /** Uploads a picture. */
  async upload(bytes: Uint8Array<ArrayBuffer>): Promise<Answered> {
    if (!this.readable.includes("/v2/media")) throw new NotThere("POST /v2/media");
    return this.#send("POST", "/v2/media", {
      headers: { "Content-Type": "image/png" },
      body: bytes,
    });
  }

  async read(path: string): Promise<Answered> {
    return this.#send("GET", path);
  }

  async #send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answered> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    // The port is another one with each start, and stored ones stay.
    const text = (await response.text()).replaceAll(/(?<=127\.0\.0\.1:)\d+/g, "4000");
    if (response.ok) return new Answered(response.status, response.headers, text);
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }

  #membersOf({ requestBody }: Json): string[] {
    const content = objectOf(objectOf(requestBody)["content"]);
    const { $ref: name, ...given } = objectOf(objectOf(content["application/json"])["schema"]);
    const schemas = objectOf(objectOf(this.#document["components"])["schemas"]);
    const schema = typeof name === "string" ? schemas[name.split("/").at(-1) ?? ""] : given;
    return Object.keys(objectOf(objectOf(schema)["properties"]));
  }
}

/** The path with these ids for its parameters, in their order. */
export function filled(path: string, ids: readonly string[]): string {
  const left = [...ids];
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ""));
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
