// The documentation pages over a real listener.

import { expect, test } from "bun:test";

import { document, openDocs } from "./docs-site.ts";

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

  const html = await (await docs.ask("/docs/try")).text();

  expect(html).toContain("<title>Ada&#x27;s &lt;shop&gt;</title>");
  expect(html).toContain('content="Sells &quot;mugs&quot; &amp; more.');
});

test("the page that sends requests leads to the reference that needs no script", async () => {
  await using docs = openDocs();

  const html = await (await docs.ask("/docs/try")).text();

  expect(html).toContain('<a href="/docs">The API reference</a>');
  expect(html).toMatch(/<script src="[^"]+" crossorigin defer="">/);
});

test("an address with a slash at its end leads to the page", async () => {
  await using docs = openDocs();

  const answer = await docs.ask("/docs/try/");

  expect(answer.status).toBe(308);
  expect(answer.headers.get("Location")).toBe("/docs/try");
});

test("the script is sent as stored to callers that accept gzip", async () => {
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
  "the script is sent decompressed to callers that accept %s",
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
  const html = await (await docs.ask("/docs/try")).text();
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

test("every refusal has its anchor, status, cause and remedy on the errors page", async () => {
  await using docs = openDocs();

  const html = await (await docs.ask("/docs/errors")).text();

  expect(html).toMatch(/<h2 id="status-409">409 Conflict<\/h2>\s*<article id="stale_stock">/);
  expect(html).toContain("<dt>Cause</dt> <dd>Another sale was &lt;faster&gt;.</dd>");
  expect(html).toContain("<dt>What to do</dt> <dd>Read <code>on_hand</code> &amp; retry.</dd>");
  expect(html).toMatch(/<h2 id="status-422">[^<]+<\/h2>\s*<article id="size_invalid">/);
  expect(html).toContain("<p>There is no such &lt;size&gt;.</p>");
  expect(html).toContain("<li><code>invalid_choice</code>None of the allowed ones.</li>");
});

test("the errors page shows each problem document as the server would send it", async () => {
  await using docs = openDocs();

  const html = await (await docs.ask("/docs/errors")).text();

  const [example = ""] = /\{\s+&quot;type&quot;[^<]+size_invalid[^<]+/.exec(html) ?? [];
  expect(
    JSON.parse(example.replaceAll("&quot;", '"').replaceAll(/&lt;(\w+)&gt;/g, "<$1>")),
  ).toEqual({
    type: "https://shop.example/docs/errors#size_invalid",
    title: "There is no such <size>.",
    status: 422,
    detail: "There is no such <size>.",
    code: "size_invalid",
    request_id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    retryable: false,
    errors: [{ pointer: "#/size", code: "invalid_choice", detail: "This must be one of: s, m." }],
  });
});

test.each(["/docs/try", "/docs/json", "/docs/errors", "/openapi.json", "/assets/scalar.js"])(
  "%s is public, under a policy and only read",
  async (path) => {
    await using docs = openDocs();

    const read = await docs.ask(path);
    const head = await docs.ask(path, { method: "HEAD" });
    const options = await docs.ask(path, { method: "OPTIONS" });
    const written = await docs.ask(path, { method: "POST", body: "{}" });

    expect(read.status).toBe(200);
    expect(read.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(read.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(head.status).toBe(200);
    expect(head.headers.get("ETag")).toBe(read.headers.get("ETag"));
    expect(await head.text()).toBe("");
    expect(options.status).toBe(204);
    expect(options.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    expect(written.status).toBe(405);
    expect(written.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  },
);
