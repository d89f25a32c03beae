// Every page of the dashboard in a real browser: readable by everybody, valid, small, without a script of another's.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import axe from "axe-core";
import { HtmlValidate } from "html-validate";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { addressesOf } from "./addresses.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

/** What a page may weigh, bytes in gzip. */
const HTML_MAX = 6_144;
const CSS_MAX = 8_192;
const SCRIPT_MAX = 4_096;
const FONTS_MAX = 35_000;

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that a scheme changes is colors: the other rules are checked in light. */
const RULES_OF_COLORS = ["color-contrast", "link-in-text-block"];

const looks = [390, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
);

let dashboard: DashboardShop;
let opened: OpenBrowser;
/** Serves axe: the browser keeps a script compiled that it gets from an address. */
let rules: Bun.Server<undefined>;
let addresses: readonly string[];

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  const headers = { "Content-Type": "text/javascript", "Cache-Control": "max-age=3600" };
  rules = Bun.serve({ port: 0, fetch: () => new Response(axe.source, { headers }) });
  const { shop } = dashboard;
  await shop.post("/v2/test/seed", {});
  addresses = await addressesOf(dashboard);
});

afterAll(async () => {
  await rules.stop();
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

describe.each(looks)("at %j", ({ width, scheme }) => {
  test("no page has a fault of access, scrolls sideways or complains", async () => {
    const context = await opened.browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: scheme,
      bypassCSP: true,
    });
    const { url } = dashboard.shop;
    // Each look is another person's: so many pages in a minute are more than one person may ask for.
    const person = await dashboard.join("owner", `Owner ${width} ${scheme}`);
    await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })));
    const faults: string[] = [];
    const page = await context.newPage();
    page.on("console", (line) => {
      if (line.type() === "error") faults.push(`${page.url()}: ${line.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    const runOnly = JSON.stringify(scheme === "light" ? RULES : RULES_OF_COLORS);
    const check = async (path: string) => {
      await page.addScriptTag({ url: rules.url.href });
      const violations: string[] = await page.evaluate(
        `axe.run(document, { runOnly: ${runOnly} })
          .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " " + target)))`,
      );
      faults.push(...violations.map((violation) => `${path}: ${violation}`));
      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (isWide === true) faults.push(`${path} scrolls sideways`);
    };
    for (const path of [...addresses, "/dashboard", "/dashboard/enter"]) {
      await page.goto(`${url}${path}`);
      await check(path);
      const effect = page.locator(
        'form[action$="/check"] button.go, button.go[formaction$="/total"]',
      );
      if ((await effect.count()) === 0) continue;
      const units = page.locator("form input.units").first();
      if ((await units.count()) > 0) await units.fill("1");
      await effect.click();
      await check(`what is said before ${path}`);
    }
    await context.close();

    expect(faults).toEqual([]);
  }, 300_000);
});

test("every page is valid HTML", async () => {
  const person = await dashboard.join("owner", "Owner of valid pages");
  const validator = new HtmlValidate({ extends: ["html-validate:standard"] });
  const faults: string[] = [];
  for (const path of addresses) {
    const { html } = await person.get(path);
    const report = await validator.validateString(html);
    for (const { messages } of report.results) {
      faults.push(...messages.map(({ ruleId, message }) => `${path}: ${ruleId} ${message}`));
    }
  }

  expect(faults).toEqual([]);
});

test("every page and its files are small", async () => {
  const person = await dashboard.join("owner", "Owner of small pages");
  const heavy: string[] = [];
  const weigh = (name: string, bytes: number, most: number) => {
    if (bytes > most) heavy.push(`${name} has ${bytes} bytes of ${most}`);
  };
  for (const path of addresses) {
    weigh(path, Bun.gzipSync((await person.get(path)).html).length, HTML_MAX);
  }
  const { html } = await dashboard.owner.get("/dashboard");
  const files = html.match(/\/dashboard\/assets\/[\w.]+/g) ?? [];
  const style = files.find((file) => file.endsWith(".css")) ?? "";
  const styleText = (await dashboard.owner.get(style)).html;
  weigh("the style", Bun.gzipSync(styleText).length, CSS_MAX);
  const script = files.find((file) => file.endsWith(".js")) ?? "";
  weigh("the script", Bun.gzipSync((await dashboard.owner.get(script)).html).length, SCRIPT_MAX);
  let fonts = 0;
  for (const [font] of styleText.matchAll(/\/dashboard\/assets\/[\w.]+woff2/g)) {
    const response = await fetch(`${dashboard.shop.url}${font}`);
    fonts += (await response.arrayBuffer()).byteLength;
  }
  weigh("the fonts", fonts, FONTS_MAX);

  expect(fonts).toBeGreaterThan(0);
  expect(heavy).toEqual([]);
});
