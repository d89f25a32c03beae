// The guides as they are served and printed.

import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";

import { renderGuide } from "#guides/guide-page.ts";
import { guides } from "#guides/guide.ts";
import { expandScopes } from "#shop/keys/scopes.ts";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

async function read(shop: TestShop, path: string) {
  const response = await fetch(`${shop.url}${path}`);
  return { headers: response.headers, status: response.status, text: await response.text() };
}

test("a guide is a page without scripts, and the same guide as text", async () => {
  await using shop = await openTestShop();

  const page = await read(shop, "/guides/operations");
  const text = await read(shop, "/guides/operations.md");

  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(page.headers.get("Content-Security-Policy")).not.toContain("script-src");
  expect(page.text).toContain("<title>Operations · Duka</title>");
  expect(page.text).toContain("<code>DUKA_BACKUP_KEEP</code>");
  expect(text.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  expect(text.text).toContain("- `DUKA_BACKUP_KEEP`: How many");
  expect(text.text).not.toContain("<!--");
});

test("the guide of a storefront lists the scopes of its key", async () => {
  await using shop = await openTestShop();

  const { text } = await read(shop, "/guides/storefront.md");

  const listed = [...expandScopes(["storefront"])].map((scope) => `\`${scope}\``).join(", ");
  expect(text).toContain(`\nIts scopes are ${listed}.\n`);
});

test("the list of guides names each of them", async () => {
  await using shop = await openTestShop();

  const { text } = await read(shop, "/guides");

  expect(guides.filter(({ name }) => !text.includes(`href="/guides/${name}"`))).toEqual([]);
});

test("a guide leads through its headings, to all others by their ways, and to those before and after it", async () => {
  await using shop = await openTestShop();

  const { text } = await read(shop, "/guides/storefront");

  const [, way = ""] =
    /<strong>([^<]+)<\/strong>(?:(?!<strong>)[^])*aria-current="page"/.exec(text) ?? [];
  expect(way).toBe("Build a shop");
  expect(text).toContain('<a href="#2-the-page">2. The page</a>');
  expect(text).toContain("<small>Before</small>Move your products and customers in");
  expect(text).toContain("<small>Next</small>");
});

test.each(["/guides", "/guides/storefront", "/docs", "/docs/carts", "/test/store", "/dashboard"])(
  "%s with a slash at its end leads to the page",
  async (path) => {
    await using shop = await openTestShop();

    const answer = await fetch(`${shop.url}${path}/?a=b`, { redirect: "manual" });

    expect(answer.headers.get("Location")).toBe(`${path}?a=b`);
  },
);

test("machines find each guide as text, and the document, in /llms.txt", async () => {
  await using shop = await openTestShop();

  const { text } = await read(shop, "/llms.txt");
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  const answers = await Promise.all(links.map((path) => read(shop, path)));

  expect(text).toStartWith("# Duka\n\n> ");
  expect(links).toHaveLength(guides.length + 3);
  expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));
});

test("every page leads only to addresses that this server answers", async () => {
  await using shop = await openTestShop();
  const pages = await Promise.all(
    ["/guides", ...guides.map(({ name }) => `/guides/${name}`)].map((path) => read(shop, path)),
  );
  const local = pages.flatMap(({ text }) =>
    [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path = ""]) => path),
  );

  const answers = await Promise.all(
    [...new Set(local)].map(async (path) => [path, (await read(shop, path)).status]),
  );

  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
});

test("each picture is shown in README or a guide, is small, and is there", async () => {
  const used = new Set(
    [await Bun.file("README.md").text(), ...guides.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/\]\([^)]*pictures\/([^)]+)\)/g)].map(([, name = ""]) => name),
    ),
  );
  const files = readdirSync("src/guides/pictures");
  const sizes = files.map((name) => Bun.file(`src/guides/pictures/${name}`).size);

  expect([...used].toSorted()).toEqual(files.toSorted());
  expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(600_000);
});

const wild = { name: "wild", way: "Try it", title: "Wild", summary: "" };

test("markup in a guide is shown, not used", () => {
  const text = "# <b>Bold</b>\n\nText <script>alert(1)</script>\n\n<div onclick=x>\n";

  const html = renderGuide({ ...wild, title: "<b>", text });

  expect(html).not.toMatch(/<(?:b|script|div)\b/);
});

test.each(["javascript:alert(1)", "data:text/html,x", "//elsewhere.example", "../../etc/passwd"])(
  "a guide that leads to %s is refused",
  (address) => {
    const text = `# Wild\n\n[here](${address})\n`;

    expect(() => renderGuide({ ...wild, text })).toThrow("leads to");
  },
);

test("the command line lists the guides and prints one as Markdown", async () => {
  using folder = openScratchFolder();

  const list = await runDuka(["guide"], { folder: folder.path });
  const guide = await runDuka(["guide", "operations"], { folder: folder.path });
  const mistaken = await runDuka(["guide", "webhoks"], { folder: folder.path });

  expect(list.stdout).toMatch(/^storefront +A storefront from nothing$/m);
  expect(guide.stdout).toStartWith("# Operations\n");
  expect(guide.stdout).toContain("- `duka keys revoke [id] [--all] [--mode <mode>]`: ");
  expect(mistaken.code).toBe(2);
  expect(mistaken.stderr).toStartWith('unknown guide "webhoks"; did you mean "webhooks"?\n');
});

test("a program serves its pictures, and the list of its commands", async () => {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });

  const text = await (await fetch(`${duka.url}/guides/operations.md`)).text();
  const picture = await fetch(`${duka.url}/guides/pictures/payment-page.webp`);

  expect(picture.headers.get("Content-Type")).toBe("image/webp");
  expect((await picture.bytes()).subarray(8, 12)).toEqual(Buffer.from("WEBP"));
  expect(text).toContain("- `duka keys revoke [id] [--all] [--mode <mode>]`: ");
});
