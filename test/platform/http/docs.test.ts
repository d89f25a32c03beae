// The documentation pages over a real listener and, for the page itself, in a real browser.

import { expect, test } from "bun:test";

import { Elysia } from "elysia";

import { mountDocs } from "#platform/http/docs.ts";

import { openBrowser } from "../../support/browser.ts";

const document = {
  openapi: "3.1.0",
  info: {
    title: "Ada's <shop>",
    description: 'Sells "mugs" & more.\n\nNothing else.',
    version: "2.0.0",
  },
  servers: [{ url: "/" }],
  tags: [{ name: "Products" }, { name: "Orders" }],
  paths: {
    "/v2/products": {
      get: {
        tags: ["Products"],
        summary: "List products",
        responses: { "200": { description: "A page of products." } },
      },
      post: {
        tags: ["Products"],
        summary: "Create a product",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Product" } } },
        },
        responses: { "201": { description: "The product." } },
      },
    },
    "/v2/orders": {
      post: {
        tags: ["Orders"],
        summary: "Place an order",
        responses: { "201": { description: "The order." } },
      },
    },
  },
  components: {
    schemas: {
      Product: {
        type: "object",
        properties: { name: { type: "string" }, barcode: { type: ["string", "null"] } },
      },
    },
  },
};

const refusals = [
  { code: "stale_stock", status: 409, title: "The stock has changed.", detail: "Read & retry." },
  { code: "amount_precision", status: 422, title: "More digits than the <currency> has." },
];

interface OpenDocs extends AsyncDisposable {
  readonly origin: string;
  ask(path: string, init?: BunFetchRequestInit): Promise<Response>;
}

function openDocs(): OpenDocs {
  const app = new Elysia();
  app.get("/v2/products", () => ({ data: ["mug"] }));
  mountDocs(app, { document, refusals });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
  const origin = server.url.origin;
  return {
    origin,
    ask: (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** What a browser met while a page was open. */
async function openPage(url: string) {
  const { browser, ...rest } = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, requested, complaints, ...rest };
}

test("the reference shows every operation", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();
  await opened.page.getByRole("button", { name: "Open Group - Orders" }).click();
  await opened.page.getByRole("link", { name: "Place an order" }).waitFor();

  const shown = await opened.page.locator("body").innerText();
  expect(shown).toContain("Ada's <shop>");
  expect(shown).toContain("List products");
  expect(shown).toContain("Create a product");
  expect(shown).toContain("Place an order");
}, 60_000);

test("the reference asks nobody but this server", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();
  await opened.page.getByRole("button", { name: /Test Request.*get/ }).click();
  await opened.page.getByRole("button", { name: /Send get request/ }).click();
  await opened.page.getByText("200 OK").waitFor();

  expect(opened.requested.map((url) => new URL(url).pathname)).toEqual([
    "/docs",
    "/assets/scalar.js",
    "/docs/json",
    "/v2/products",
  ]);
  expect(new Set(opened.requested.map((url) => new URL(url).origin))).toEqual(
    new Set([docs.origin]),
  );
  expect(opened.complaints).toEqual([]);
}, 60_000);

test("the reference offers no service of somebody else", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();

  const shown = await opened.page.locator("body").innerText();
  expect(shown).not.toMatch(/Ask AI|MCP|Share|Deploy|Developer Tools|Open API Client/);
}, 60_000);

test("the document is served exactly as it was handed over, at both of its addresses", async () => {
  await using docs = openDocs();

  const besideThePage = await docs.ask("/docs/json");
  const atTheRoot = await docs.ask("/openapi.json");

  expect(besideThePage.headers.get("Content-Type")).toBe("application/json");
  expect(await besideThePage.json()).toEqual(document);
  expect(await atTheRoot.json()).toEqual(document);
});

test("title and description reach the page as text, never as markup", async () => {
  await using docs = openDocs();

  const html = await (await docs.ask("/docs")).text();

  expect(html).toContain("<title>Ada&#x27;s &lt;shop&gt;</title>");
  expect(html).toContain('content="Sells &quot;mugs&quot; &amp; more.');
});

test("an address with a slash at its end leads to the page", async () => {
  await using docs = openDocs();

  const answer = await docs.ask("/docs/");

  expect(answer.status).toBe(308);
  expect(answer.headers.get("Location")).toBe("/docs");
});

test("the script travels packed to whoever takes gzip", async () => {
  await using docs = openDocs();

  const packed = await docs.ask("/assets/scalar.js", {
    headers: { "Accept-Encoding": "br, gzip" },
    decompress: false,
  });

  expect(packed.headers.get("Content-Encoding")).toBe("gzip");
  expect(packed.headers.get("Vary")).toBe("Accept-Encoding");
  const script = Bun.gunzipSync(await packed.arrayBuffer());
  expect(new TextDecoder().decode(script)).toContain("createApiReference");
});

test.each(["identity", "gzip;q=0", "br, *;q=0"])(
  "the script travels unpacked to whoever asks for %s",
  async (acceptEncoding) => {
    await using docs = openDocs();

    const unpacked = await docs.ask("/assets/scalar.js", {
      headers: { "Accept-Encoding": acceptEncoding },
      decompress: false,
    });

    expect(unpacked.headers.get("Content-Encoding")).toBeNull();
    expect(await unpacked.text()).toContain("createApiReference");
  },
);

test("the page names the script by its content, and that address may be kept forever", async () => {
  await using docs = openDocs();
  const html = await (await docs.ask("/docs")).text();
  const address = /src="([^"]+)"/.exec(html)?.[1] ?? "";

  const script = await docs.ask(address);

  const digest = new Bun.CryptoHasher("sha256").update(await script.bytes()).digest("hex");
  expect(address).toBe(`/assets/scalar.js?v=${digest.slice(0, 16)}`);
  expect(script.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
});

test("the script under any other address is asked for again", async () => {
  await using docs = openDocs();

  const script = await docs.ask("/assets/scalar.js?v=older", { method: "HEAD" });

  expect(script.headers.get("Cache-Control")).toBe("no-cache");
});

test("a page the browser still has is not sent again", async () => {
  await using docs = openDocs();
  const etag = (await docs.ask("/docs/json")).headers.get("ETag") ?? "";

  const again = await docs.ask("/docs/json", {
    headers: { "If-None-Match": `"other", W/${etag}` },
  });

  expect(again.status).toBe(304);
  expect(again.headers.get("ETag")).toBe(etag);
  expect(await again.text()).toBe("");
});

test("every refusal has its anchor, status and sentence on the errors page", async () => {
  await using docs = openDocs();

  const html = await (await docs.ask("/docs/errors")).text();

  expect(html).toMatch(/<h2>409<\/h2>\s*<article id="stale_stock">/);
  expect(html).toContain("<p>Read &amp; retry.</p>");
  expect(html).toMatch(/<h2>422<\/h2>\s*<article id="amount_precision">/);
  expect(html).toContain("<p>More digits than the &lt;currency&gt; has.</p>");
});

test("a browser shows the errors page whole under its own policy", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/errors#stale_stock`);

  const box = await opened.page.locator("body").boundingBox();

  expect(box?.width).toBe(768);
  expect(opened.complaints).toEqual([]);
  expect(opened.requested).toEqual([`${docs.origin}/docs/errors`]);
}, 60_000);

test.each(["/docs", "/docs/json", "/docs/errors", "/openapi.json", "/assets/scalar.js"])(
  "%s is public, guarded by headers and only read",
  async (path) => {
    await using docs = openDocs();

    const read = await docs.ask(path);
    const head = await docs.ask(path, { method: "HEAD" });
    const options = await docs.ask(path, { method: "OPTIONS" });
    const written = await docs.ask(path, { method: "POST", body: "{}" });

    expect(read.status).toBe(200);
    expect(read.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(read.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(read.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(read.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(head.status).toBe(200);
    expect(head.headers.get("ETag")).toBe(read.headers.get("ETag"));
    expect(await head.text()).toBe("");
    expect(options.status).toBe(204);
    expect(options.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    expect(written.status).toBe(405);
    expect(written.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  },
);
