// News of the shop as a stream: what happened, for who may know, as long as the session holds.

import { describe, expect, test } from "bun:test";

import {
  type DashboardShop,
  openDashboard,
  sharedDashboard,
  type Visitor,
} from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const STREAMS_MAX = 6;

/** A stream that a browser holds open. */
class HeardStream implements AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #cancel: AbortController;
  #text = "";

  constructor(response: Response, cancel: AbortController) {
    if (response.body === null) throw new Error("The stream has no body.");
    this.status = response.status;
    this.headers = response.headers;
    this.#chunks = response.body[Symbol.asyncIterator]();
    this.#cancel = cancel;
  }

  /** Reads until the stream has said this. */
  async until(said: string): Promise<string> {
    while (!this.#text.includes(said)) {
      if (!(await this.#read())) throw new Error(`The stream ended after: ${this.#text}`);
    }
    return this.#text;
  }

  /** Reads to the end. */
  async toEnd(): Promise<string> {
    while (await this.#read());
    return this.#text;
  }

  async #read(): Promise<boolean> {
    const read = await this.#chunks.next();
    if (read.done === true) return false;
    this.#text += new TextDecoder().decode(read.value);
    return true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#cancel.abort();
    return Promise.resolve();
  }
}

/** Opens a stream as the browser of the visitor. */
async function listen(
  { shop, cookies }: Visitor,
  { path = "/dashboard/test/live", headers = {} } = {},
): Promise<HeardStream> {
  const cancel = new AbortController();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${shop.url}${path}`, {
    headers: { Cookie: cookie, ...headers },
    signal: cancel.signal,
  });
  return new HeardStream(response, cancel);
}

async function addProduct({ shop }: DashboardShop, name: string): Promise<string> {
  return (await shop.post("/v2/products", { name, price: "10.00" })).string("/id");
}

describe("a stream", () => {
  test("tells what happened and what it is about, and nothing more", async () => {
    await using stream = await listen(dashboard.owner);

    const id = await addProduct(dashboard, "Indigo mug");

    const text = await stream.until("product.created");
    expect(text).toMatch(
      new RegExp(`data: {"sequence":\\d+,"event":"product.created","subject":"${id}"}\n\n`),
    );
    expect(text).not.toContain("Indigo mug");
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
  });

  test("begins after the event that the page was made with", async () => {
    const first = await addProduct(dashboard, "Mug");
    const { html } = await dashboard.owner.get("/dashboard/test");
    const after = /data-after="(\d+)"/.exec(html)?.[1] ?? "";
    const second = await addProduct(dashboard, "Soap");

    await using stream = await listen(dashboard.owner, {
      path: `/dashboard/test/live?after=${after}`,
    });

    const text = await stream.until(second);
    expect(text).not.toContain(first);
  });

  test("that is opened again goes on after what was heard last", async () => {
    await using before = await listen(dashboard.owner);
    const first = await addProduct(dashboard, "Mug");
    const heard = [...(await before.until(first)).matchAll(/^id: (\d+)/gm)].at(-1)?.[1] ?? "";
    const second = await addProduct(dashboard, "Soap");

    await using again = await listen(dashboard.owner, {
      path: "/dashboard/test/live?after=0",
      headers: { "Last-Event-ID": heard },
    });

    const text = await again.until(second);
    expect(text).not.toContain(first);
  });

  test("of the live shop says nothing of the test shop", async () => {
    await using dashboard = await openDashboard();
    await using live = await listen(dashboard.owner, { path: "/dashboard/live" });
    await using tried = await listen(dashboard.owner);
    await tried.until("retry");
    const id = await addProduct(dashboard, "Mug");
    await tried.until(id);

    await dashboard.owner.send("/dashboard/leave");

    expect(await live.toEnd()).not.toContain("data:");
  });

  test("ends with the session of the person", async () => {
    await using dashboard = await openDashboard();
    await using stream = await listen(dashboard.owner);
    await stream.until("retry");

    await dashboard.owner.send("/dashboard/leave");

    expect(await stream.toEnd()).not.toContain("data:");
  });

  test("does not keep the session of a person who does nothing", async () => {
    await using dashboard = await openDashboard();
    const hours = 24 * 7 - 1;
    dashboard.shop.clock.advance(hours * 3_600_000);
    await using stream = await listen(dashboard.owner);
    await stream.until("retry");

    dashboard.shop.clock.advance(2 * 3_600_000);

    expect(await stream.toEnd()).not.toContain("data:");
  });

  test("ends when the server stops", async () => {
    const dashboard = await openDashboard();
    const stream = await listen(dashboard.owner);
    await stream.until("retry");

    const [text] = await Promise.all([stream.toEnd(), dashboard[Symbol.asyncDispose]()]);

    expect(text).not.toContain("data:");
  });

  test("needs a session", async () => {
    expect((await dashboard.stranger().get("/dashboard/test/live")).status).toBe(401);
  });
});

describe("a person", () => {
  test("holds six streams at most, and another once one has ended", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;
    const streams = [];
    for (let opened = 0; opened < STREAMS_MAX; opened += 1) streams.push(await listen(owner));
    const { status } = await owner.get("/dashboard/test/live");

    await streams[0]?.[Symbol.asyncDispose]();
    // The server hears of it by itself, a moment later.
    let again = await listen(owner).catch(() => null);
    while (again === null || again.status === 429) again = await listen(owner).catch(() => null);

    expect(status).toBe(429);
    expect(again.status).toBe(200);
    for (const stream of [...streams, again]) await stream[Symbol.asyncDispose]();
  });

  test("whose streams are refused may go on asking for pages", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;
    const streams = [];
    for (let opened = 0; opened < STREAMS_MAX; opened += 1) streams.push(await listen(owner));

    for (let at = 0; at < 250; at += 1) await owner.get("/dashboard/test/live");

    expect((await owner.get("/dashboard")).status).toBe(200);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  });

  test("is not kept from the news by the six streams of another", async () => {
    const kofi = await dashboard.join("staff", "Kofi");
    const streams = [];
    for (let opened = 0; opened < STREAMS_MAX; opened += 1) {
      streams.push(await listen(dashboard.owner));
    }

    await using stream = await listen(kofi);

    expect(stream.status).toBe(200);
    for (const one of streams) await one[Symbol.asyncDispose]();
  });
});
