// A merchant imports products in a real browser: the pages are accessible, valid and small.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";

import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import type { Page } from "playwright-core";

import { saveFile } from "#imports/kept/begin-run.ts";
import { workOnFile } from "#imports/kept/work-on-file.ts";
import { getPersonByName } from "#shop/people/lookups.ts";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const HOME = "/dashboard/test/products";
const HTML_MAX = 6_144;

let dashboard: DashboardShop;
let opened: OpenBrowser;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

const csv = (lines: readonly string[]) => ({
  name: "products.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(lines.join("\n")),
});

test("a file with faults is told at each cell, and the mended one is imported", async () => {
  const { owner } = dashboard;
  const faulty = Array.from({ length: 60 }, (_, row) => `jar-${row},Jar ${row},"${row},50"`);
  await using looked = await look(opened, { visitor: owner, path: HOME, isFollowing: false });
  const { page } = looked;

  await page.getByRole("link", { name: "Import products" }).click();
  await page.getByLabel("CSV file").setInputFiles(csv(["slug,name,price", ...faulty]));
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("heading", { name: "60 faults" }).waitFor();
  const report = await owner.get(new URL(page.url()).pathname);
  const isWide = await page.evaluate("document.body.scrollWidth > innerWidth");
  await page.getByRole("link", { name: "Choose another file" }).click();
  await page.getByLabel("CSV file").setInputFiles(csv(["slug,name,price", "jar,Jar,7.50"]));
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("button", { name: "Import these products" }).click();
  await page.getByText("The shop has these products now.").waitFor();
  await page.getByRole("link", { name: "See the products" }).click();

  await page.getByText("Jar", { exact: true }).waitFor();
  expect(isWide).toBe(false);
  expect(gzipSync(report.html).length).toBeLessThan(HTML_MAX);
  const validated = await new HtmlValidate({
    extends: ["html-validate:standard"],
  }).validateString(report.html);
  expect(
    validated.results.flatMap(({ messages }) => messages.map(({ message }) => message)),
  ).toEqual([]);
  expect(looked.faults).toEqual([]);
});

test("the page of a file that is checked shows by itself what became of it, and is accessible", async () => {
  const { owner, shop } = dashboard;
  const { database } = shop.test;
  const { id: personId } = await getPersonByName(shop.live.database.read, "Ama");
  const content = gzipSync("slug,name,price\njar,Jar,1;5\n").toString("base64");
  const file = { id: "a".repeat(32), run: "1", noun: "products", personId, content } as const;
  await database.write((tx) => saveFile(tx, file));
  await using context = await opened.browser.newContext({ bypassCSP: true });
  const cookies = [...owner.cookies].map(([name, value]) => ({ name, value, url: shop.url }));
  await context.addCookies(cookies);
  const page = await context.newPage();

  await page.goto(`${shop.url}${HOME}/import/${file.id}`);
  await page.getByText("Reading the file").waitFor();
  const working = await violationsOf(page);
  await workOnFile(shop.test, { id: file.id, actor: { type: "person", id: personId } });
  await page.getByText("1 fault", { exact: true }).waitFor();
  await page.getByText("Read the file in another way").click();
  const report = await violationsOf(page);

  expect([working, report]).toEqual([[], []]);
});

/** The faults of access of the page. */
async function violationsOf(page: Page): Promise<unknown> {
  await page.addScriptTag({ content: axe.source });
  return await page.evaluate(
    `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " " + target)))`,
  );
}
