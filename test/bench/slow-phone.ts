// A phone on a slow network, as Chromium imitates it: when the rows of a page are seen, and what went over the wire,
// first with nothing kept and then again.

import type { Browser, CDPSession, Page } from "playwright-core";

export interface Network {
  readonly name: string;
  readonly kilobits: number;
  readonly latencyMs: number;
}

/** What one visit of a page brought. */
export interface Seen {
  /** From the start of the visit to the frame that shows the first row, milliseconds. */
  readonly rowsMs: number;
  /** What was asked of the server, without the stream of news. */
  readonly requests: number;
  readonly bytes: number;
}

interface Visit {
  readonly url: string;
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  /** A selector of the first row. */
  readonly rows: string;
  readonly network: Network;
}

const WIDTH = 390;
const HEIGHT = 844;
const CPU_SLOWER = 4;
/** A page that is not shown within this has failed, milliseconds. */
const VISIT_MS_MAX = 30_000;
const LOOK_MS = 50;

/** Visits a page with an empty browser and again with what it kept then. */
export async function seePage(
  browser: Browser,
  visit: Visit,
): Promise<{ readonly cold: Seen; readonly warm: Seen }> {
  const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } });
  try {
    await context.addCookies(cookiesOf(visit));
    const page = await context.newPage();
    await page.addInitScript(lookFor(visit.rows));
    const session = await context.newCDPSession(page);
    await slowDown(session, visit.network);
    const wire = new Wire(session);
    const cold = await once(page, wire, visit.url);
    await page.goto("about:blank");
    const warm = await once(page, wire, visit.url);
    return { cold, warm };
  } finally {
    await context.close();
  }
}

async function once(page: Page, wire: Wire, url: string): Promise<Seen> {
  wire.forget();
  await page.goto(url, { timeout: VISIT_MS_MAX, waitUntil: "load" });
  const handle = await page.waitForFunction("globalThis.rowsSeenMs", null, {
    timeout: VISIT_MS_MAX,
  });
  const rowsMs = Number(await handle.jsonValue());
  await wire.quiet();
  return { rowsMs, requests: wire.requests, bytes: wire.bytes };
}

/** Frames wait for the style, so the one after that which has the row shows it. */
function lookFor(selector: string): string {
  return `{
    const look = () => requestAnimationFrame(() => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) look();
      else requestAnimationFrame(() => { globalThis.rowsSeenMs = performance.now(); });
    });
    look();
  }`;
}

async function slowDown(session: CDPSession, { kilobits, latencyMs }: Network): Promise<void> {
  const bytesPerSecond = (kilobits * 1_000) / 8;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER });
}

/** What a page asks of the network. The stream of news never ends, and is left out. */
class Wire {
  readonly #open = new Set<string>();
  readonly #kept = new Set<string>();
  requests = 0;
  bytes = 0;

  constructor(session: CDPSession) {
    session.on("Network.requestWillBeSent", ({ requestId, request: { url } }) => {
      if (url.startsWith("http") && !url.includes("/live?")) this.#open.add(requestId);
    });
    session.on("Network.requestServedFromCache", ({ requestId }) => this.#kept.add(requestId));
    session.on("Network.responseReceived", ({ requestId, response }) => {
      if (response.fromDiskCache === true) this.#kept.add(requestId);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
      this.#end(requestId, encodedDataLength),
    );
    session.on("Network.loadingFailed", ({ requestId }) => this.#end(requestId, 0));
  }

  #end(requestId: string, bytes: number): void {
    if (!this.#open.delete(requestId) || this.#kept.has(requestId)) return;
    this.requests += 1;
    this.bytes += bytes;
  }

  forget(): void {
    this.requests = 0;
    this.bytes = 0;
  }

  /** Resolves once nothing is on its way. */
  async quiet(): Promise<void> {
    const from = performance.now();
    while (this.#open.size > 0) {
      if (performance.now() - from > VISIT_MS_MAX)
        throw new Error("The page does not end loading.");
      await Bun.sleep(LOOK_MS);
    }
  }
}

function cookiesOf({ cookie, url }: Visit): { name: string; value: string; url: string }[] {
  return cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}
