// A shop behind nginx and Caddy as they are installed: with the printed block visitors are counted apart and nothing is cut
// off; a proxy that is told nothing makes all of them one.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { request } from "node:http";

import { proxyBlock } from "#cli/install/proxy.ts";
import { parseConfig } from "#platform/config/config.ts";

import { openDashboard } from "../../dashboard/dashboard-shop.ts";
import { picture, pngChunk } from "../../support/pictures.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(60_000);

const WRITES_PER_MINUTE = 120;
const STREAMS_PER_PERSON_MAX = 6;

/** A proxy in front of a shop, and the shop's owner. */
interface Front extends AsyncDisposable {
  readonly shop: TestShop;
  readonly port: number;
  readonly host: string;
  /** A publishable key. */
  readonly key: string;
  readonly cookie: string;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

/** The owner's cookie, whose name has the port at which the browser finds the shop. */
async function signIn(folder: ScratchFolder, port: number) {
  await using dashboard = await openDashboard({ folder });
  const { shop, owner } = dashboard;
  const own = new URL(shop.url).port;
  const cookies = [...owner.cookies].map(
    ([name, value]) => `${name.replace(own, `${port}`)}=${value}`,
  );
  return { cookie: cookies.join("; "), shopKey: shop.key };
}

/** Starts a shop with a public address, and before it the proxy that the function configures and runs. */
async function openFront(
  command: (block: string, folder: string) => Promise<readonly string[]>,
  blockFor: (settings: Readonly<Record<string, string>>) => string | Promise<string>,
): Promise<Front> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(openScratchFolder());
  const port = freePort();
  const { cookie, shopKey } = await signIn(folder, port);
  const host = `shop.example:${port}`;
  const settings = {
    DUKA_PUBLIC_URL: `http://${host}`,
    DUKA_TRUSTED_PROXIES: "127.0.0.1,::1",
    DUKA_ADDRESS_WRITES_PER_MINUTE: String(WRITES_PER_MINUTE),
  };
  const shop = opened.use(await openTestShop({ folder, key: shopKey, settings }));
  await shop.put("/v2/store", { enforce_limits: true });
  const key = await shop.createKey({ scopes: ["storefront"] });
  const own = opened.use(openScratchFolder());
  const block = await blockFor({ ...settings, DUKA_PORT: new URL(shop.url).port });
  const proxy = Bun.spawn([...(await command(block, own.path))], {
    env: { PATH: process.env.PATH ?? "", HOME: own.path },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  opened.defer(async () => {
    proxy.kill("SIGTERM");
    await proxy.exited;
  });
  const isUp = async () => (await ask({ port, host }, "/livez").catch(() => null))?.status === 200;
  await until(isUp, "The proxy does not answer.");
  const kept = opened.move();
  return { shop, port, host, key, cookie, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The visitor's address: any of 127.0.0.0/8 is this machine. */
  readonly from?: string;
  /** Ends the request once the answer has this text. */
  readonly enough?: string;
}

/** Sends a request to the proxy, as a browser that found the shop's name does. */
function ask(
  { port, host }: Pick<Front, "port" | "host">,
  path: string,
  { method = "GET", headers = {}, body, from = "127.0.0.1", enough }: Asked = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(
    {
      host: "127.0.0.1",
      port,
      path,
      method,
      localAddress: from,
      headers: { Host: host, ...headers },
    },
    (response) => {
      let text = "";
      const end = () => resolve({ status: response.statusCode ?? 0, text });
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (enough === undefined || !text.includes(enough)) return;
        end();
        sent.destroy();
      });
      response.on("end", end);
    },
  );
  sent.on("error", reject).end(body);
  return promise;
}

function write(front: Front, from?: string, headers: Readonly<Record<string, string>> = {}) {
  return ask(front, "/v2/carts", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${front.key}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: "{}",
    ...(from === undefined ? {} : { from }),
  });
}

async function nginx(block: string, folder: string): Promise<readonly string[]> {
  const file = `${folder}/nginx.conf`;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await Bun.write(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/log;
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events {}
     http { access_log off; ${temporary.join(" ")}
     ${block} }`,
  );
  const tried = Bun.spawnSync(["nginx", "-t", "-e", `${folder}/log`, "-c", file]);
  expect(tried.stderr.toString()).toContain("test is successful");
  return ["nginx", "-e", `${folder}/log`, "-c", file];
}

async function caddy(block: string, folder: string): Promise<readonly string[]> {
  const file = `${folder}/Caddyfile`;
  await Bun.write(file, `{\n\tadmin off\n}\n${block}\n`);
  return ["caddy", "run", "--adapter", "caddyfile", "--config", file];
}

describe.each([
  ["nginx", nginx],
  ["caddy", caddy],
] as const)("with the printed block of %s", (name, command) => {
  let front: Front;
  beforeAll(async () => {
    front = await openFront(command, (settings) => proxyBlock(name, parseConfig(settings)));
  });
  afterAll(() => front[Symbol.asyncDispose]());

  test("ten visitors are counted apart, whatever addresses they claim", async () => {
    const visitors = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 2}`);
    const [first = ""] = visitors;
    const claim = { "X-Forwarded-For": "198.51.100.7" };
    for (let count = 0; count < WRITES_PER_MINUTE; count += 1) await write(front, first, claim);

    const refused = await write(front, first, { "X-Forwarded-For": "198.51.100.8" });
    const others = await Promise.all(visitors.slice(1).map((from) => write(front, from)));

    expect(refused.status).toBe(429);
    expect(others.map(({ status }) => status)).toEqual(Array<number>(9).fill(201));
  });

  test("a picture of 20 MB arrives", async () => {
    const plain = await picture("png");
    const words = pngChunk("tEXt", Buffer.alloc(20 * 1_000_000, "a"));
    const large = Buffer.concat([plain.subarray(0, 33), words, plain.subarray(33)]);

    const made = await ask(front, "/v2/media", {
      method: "POST",
      headers: { Authorization: `Bearer ${front.shop.key}`, "Content-Type": "image/png" },
      body: large,
    });

    expect(made.status).toBe(201);
  });

  test("a picture above the limit is refused in Duka's words", async () => {
    const refused = await ask(front, "/v2/media", {
      method: "POST",
      headers: { Authorization: `Bearer ${front.shop.key}`, "Content-Type": "image/png" },
      body: Buffer.alloc(50 * 1_000_000),
    });

    expect([refused.status, JSON.parse(refused.text).code]).toEqual([413, "body_too_large"]);
  });

  test("a page that is open follows the shop", async () => {
    const headers = { Cookie: front.cookie };
    const page = await ask(front, "/dashboard/test", { headers });
    const after = /data-after="(\d+)"/.exec(page.text)?.[1] ?? "";
    const made = await front.shop.post("/v2/products", { name: "Mug", price: "10.00" });

    const heard = await ask(front, `/dashboard/test/live?after=${after}`, {
      headers,
      enough: made.string("/id"),
    });

    expect(heard.status).toBe(200);
  });

  test("pages that were closed hold no place of those that are open", async () => {
    const open = () =>
      ask(front, "/dashboard/test/live", { headers: { Cookie: front.cookie }, enough: "retry" });
    for (let count = 0; count < STREAMS_PER_PERSON_MAX; count += 1) await open();

    await until(async () => (await open()).status === 200, "The pages are still open.");
  });

  test("the figures are closed, and the dashboard opens", async () => {
    const paths = ["/metrics", "/dashboard"];

    const answers = await Promise.all(paths.map((path) => ask(front, path)));

    expect(answers.map(({ status }) => status)).toEqual([404, 303]);
  });
});

describe("with an nginx that is told nothing", () => {
  let front: Front;
  beforeAll(async () => {
    front = await openFront(nginx, ({ DUKA_PUBLIC_URL, DUKA_PORT }) => {
      const { port } = new URL(DUKA_PUBLIC_URL ?? "");
      return `server { listen ${port}; location / { proxy_pass http://127.0.0.1:${DUKA_PORT}; } }`;
    });
  });
  afterAll(() => front[Symbol.asyncDispose]());

  test("all visitors are one, and not none", async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= WRITES_PER_MINUTE; count += 1) {
      statuses.push((await write(front, `127.0.0.${(count % 100) + 2}`)).status);
    }

    expect(statuses.lastIndexOf(201)).toBe(WRITES_PER_MINUTE - 1);
    expect(statuses.at(-1)).toBe(429);
  });

  test("the figures are closed, and the page says which host came", async () => {
    const upstream = new URL(front.shop.url).host;

    const [figures, page] = [await ask(front, "/metrics"), await ask(front, "/dashboard")];

    expect([figures.status, page.status]).toEqual([404, 421]);
    expect(page.text).toContain(upstream);
  });
});

/** The parts of the guide's cache: the line above the block, and the second `location` in it. */
async function keepingBlock(settings: Readonly<Record<string, string>>): Promise<string> {
  const guide = await Bun.file(`${import.meta.dir}/../../../src/guides/proxy.md`).text();
  const [line = "", location = ""] = [...guide.matchAll(/```nginx\n([^`]*)```/g)].map(
    ([, text = ""]) => text.replace(":4000", `:${settings["DUKA_PORT"]}`),
  );
  const block = proxyBlock("nginx", parseConfig(settings));
  return `${line}${block.replace("    location / {", `${location}    location / {`)}`;
}

function keepingNginx(block: string, folder: string): Promise<readonly string[]> {
  return nginx(block.replace("/var/cache/nginx/duka", `${folder}/kept`), folder);
}

describe("with an nginx that keeps the catalog as the guide says", () => {
  const VIEWS = 10_000;
  const AT_ONCE = 50;
  const path = "/v2/products?limit=20";
  let front: Front;
  beforeAll(async () => {
    front = await openFront(keepingNginx, keepingBlock);
    const { shop } = front;
    await shop.put("/v2/store", { storefront_cache_seconds: 10 });
    await shop.post("/v2/products", { name: "Mug", price: 10, currency: "USD" });
    await shop.post("/v2/products", { name: "Draft", price: 10, currency: "USD", status: "draft" });
  });
  afterAll(() => front[Symbol.asyncDispose]());

  const asKey = (key: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${front.port}${path}`, {
      headers: { Host: front.host, Authorization: `Bearer ${key}`, ...headers },
    });

  test("10,000 views of a list reach the shop ten times at most", async () => {
    const reached = spyOn(front.shop.test.requests, "add");
    const statuses = new Set<number>();

    for (let count = 0; count < VIEWS; count += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => asKey(front.key)));
      for (const { status } of answers) statuses.add(status);
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }

    expect([...statuses]).toEqual([200]);
    expect(reached.mock.calls.length).toBeGreaterThan(0);
    expect(reached.mock.calls.length).toBeLessThanOrEqual(10);
    reached.mockRestore();
  });

  test("no secret key, no unknown one and no customer is told what was kept for another key", async () => {
    const secret = front.shop.key;
    await asKey(front.key);
    await asKey(front.key, { "Customer-Token": "cst_nobody" });

    const [toSecret, toUnknown, toCustomer] = await Promise.all([
      asKey(secret),
      asKey(`${front.key}x`),
      asKey(front.key, { "Customer-Token": "cst_nobody" }),
    ]);

    expect(await toSecret.text()).toContain("Draft");
    expect(toUnknown.status).toBe(401);
    expect(toCustomer.headers.get("cache-control")).toBe("no-store");
  });

  test("an answer that nginx has is confirmed with its tag, in each coding", async () => {
    for (const coding of ["gzip", "identity"]) {
      const first = await asKey(front.key, { "Accept-Encoding": coding });
      const tag = first.headers.get("etag") ?? "";

      const again = await asKey(front.key, { "Accept-Encoding": coding, "If-None-Match": tag });

      expect([tag === "", again.status]).toEqual([false, 304]);
    }
  });
});
