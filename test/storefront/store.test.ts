// The page of the example storefront as a browser gets it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runInNewContext } from "node:vm";

import { exampleStore, storeFiles } from "#storefront/store-page.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(() => shop[Symbol.asyncDispose]());

async function page(): Promise<{ headers: Headers; html: string }> {
  const response = await fetch(`${shop.url}/test/store`);
  expect(response.status).toBe(200);
  return { headers: response.headers, html: await response.text() };
}

const keyIn = (html: string) => /data-key="(test_pk_\w+)"/.exec(html)?.[1] ?? "";

describe("the example storefront", () => {
  test("has one publishable key, however many look at it at once", async () => {
    const pages = await Promise.all([page(), page(), page()]);

    const keys = await shop.get("/v2/keys");
    const kinds = keys.list("/data").filter((key) => JSON.stringify(key).includes("Example store"));
    expect(new Set(pages.map(({ html }) => keyIn(html))).size).toBe(1);
    expect(kinds).toMatchObject([{ kind: "publishable", scopes: ["storefront"] }]);
  });

  test("uses a publishable key that the shop has", async () => {
    await using other = await openTestShop();
    const key = await other.createKey({ scopes: ["storefront"] });

    const html = await (await fetch(`${other.url}/test/store`)).text();

    expect(keyIn(html)).toBe(key);
  });

  test("replaces its key when that was revoked", async () => {
    const before = keyIn((await page()).html);
    const keys = await shop.get("/v2/keys");
    const { id } = Object(keys.list("/data").find((key) => Object(key).key === before));
    await shop.delete(`/v2/keys/${id}`);

    const after = keyIn((await page()).html);

    expect(after).toMatch(/^test_pk_/);
    expect(after).not.toBe(before);
  });

  test("leads to its orders where the owner is signed in: by the name of the link that was printed", async () => {
    const { port } = new URL(shop.url);

    expect((await page()).html).toContain(`href="http://localhost:${port}/dashboard/test/orders"`);
  });

  test("belongs to no origin, and names by path all that it loads", async () => {
    const { headers } = await page();
    const policy = headers.get("Content-Security-Policy") ?? "";
    const host = new URL(shop.url).host;

    expect(policy).toContain("sandbox allow-scripts allow-forms");
    expect(policy).not.toContain("allow-same-origin");
    expect(policy).toContain(`connect-src ${host}/v2/;`);
    expect(policy).not.toContain("'self'");
    expect(policy).not.toContain("unsafe");
  });

  test("is neither loaded nor embedded by a page of another site, which its own links are to browsers", async () => {
    const from = async (dest: string, path = "/test/store") =>
      (
        await fetch(`${shop.url}${path}`, {
          headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": dest },
        })
      ).status;

    const asked = [await from("empty"), await from("iframe"), await from("image")];
    const file = await from("script", "/test/store/store.js");

    expect(asked).toEqual([403, 403, 403]);
    expect([await from("document"), file]).toEqual([200, 200]);
  });

  test("shows the shop's name as text", async () => {
    await using other = await openTestShop();
    await other.put("/v2/store", { name: "<b>Ama</b> & sons" });

    const html = await (await fetch(`${other.url}/test/store`)).text();

    expect(html).toContain("&lt;b&gt;Ama&lt;/b&gt; &amp; sons");
    expect(html).not.toContain("<b>");
  });

  test("is not there without test mode", async () => {
    await using live = await openTestShop({ settings: { DUKA_TEST_MODE: "off" } });

    expect((await fetch(`${live.url}/test/store`)).status).toBe(404);
  });

  test("is not there for the live shop", async () => {
    expect((await fetch(`${shop.url}/live/store`)).status).toBe(404);
  });
});

test("the printed example is one file that loads the client alone", () => {
  const html = exampleStore();
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";

  expect(new Bun.Transpiler({ loader: "js" }).scan(script)).toMatchObject({
    imports: [],
    exports: [],
  });
  expect(html).not.toMatch(/<(?:script|link)[^>]* (?:src|href)=/);
  expect(html).toContain("STOREFRONT_KEY");
});

test("a page without storage takes a session from its address in test mode alone", () => {
  const script = storeFiles["session.js"].replace(
    /^export .*$/m,
    "[customerToken(), sessionHash()]",
  );
  const opened = (key: string): unknown => {
    const document = { body: { dataset: { key } } };
    return runInNewContext(script, { document, location: { hash: "#cst_a" } });
  };

  expect(opened("test_pk_a")).toEqual(["cst_a", "cst_a"]);
  // Whoever sends a link to the page could sign others in as themselves.
  expect(opened("live_pk_a")).toEqual([undefined, ""]);
});
