// How the shop appears to customers on its pages: what it set is shown, escaped, and allowed by the policy.

import { beforeAll, describe, expect, test } from "bun:test";

import { assert, constantFrom, property, string } from "fast-check";

import { brandStyle, brandTokens } from "#pay-page/frame/brand.ts";

import { of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { runs, seedOfRun } from "../support/runs.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { unpaidOrder } from "./abandoned-baskets.ts";

const HEX = [..."0123456789abcdef"];
const color = string({ unit: constantFrom(...HEX), minLength: 6, maxLength: 6 }).map(
  (digits) => `#${digits}`,
);

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const number = Number.parseInt(hex.slice(1), 16);
  const linear = [number >> 16, (number >> 8) & 255, number & 255].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return (linear[0] ?? 0) * 0.2126 + (linear[1] ?? 0) * 0.7152 + (linear[2] ?? 0) * 0.0722;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

test("what stands on a color of the shop can be read, and its edge is seen in light and dark", () => {
  assert(
    property(color, (ground) => {
      const [, ink = "", light = "", dark = ""] =
        /--pay-ink: (#\w+); --pay-edge: light-dark\((#\w+), (#\w+)\)/.exec(brandStyle(ground)) ??
        [];
      expect(contrast(ground, ink)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light, "#ffffff")).toBeGreaterThanOrEqual(3);
      expect(contrast(dark, "#1d2128")).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: runs(500), seed: seedOfRun() },
  );
});

test("a color of the shop is read as text on every ground of its pages, in light and dark", () => {
  assert(
    property(color, (brand) => {
      const [, light = "", dark = ""] =
        /--brand-text:light-dark\((#\w+),(#\w+)\)/.exec(brandTokens(brand)) ?? [];
      for (const ground of ["#f8f4ec", "#fffdf9", "#f1ebdf"]) {
        expect(contrast(light, ground)).toBeGreaterThanOrEqual(4.5);
      }
      for (const ground of ["#131210", "#1d1b17", "#26231d"]) {
        expect(contrast(dark, ground)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: runs(500), seed: seedOfRun() },
  );
});

test.each([
  [
    "a green has marigold and clay beside it",
    "#0a5a3a",
    ["oklch(.77 .155 75)", "oklch(.55 .16 33)"],
  ],
  ["a marigold has leaf in its place", "#e9a21b", ["oklch(.42 .09 160)", "oklch(.55 .16 33)"]],
  ["an orange has leaf and indigo", "#d2691e", ["oklch(.42 .09 160)", "oklch(.38 .08 265)"]],
  ["white has no hue of its own", "#ffffff", ["oklch(.77 .155 75)", "oklch(.55 .16 33)"]],
])("%s", (_color, brand, [second, third]) => {
  expect(brandTokens(brand)).toContain(`--second:${second};--third:${third};`);
});

const look = {
  name: "Akwaaba <b>Crafts</b>",
  timezone: "Africa/Accra",
  country: "GH",
  locale: "en-GH",
  logo_url: "https://pictures.example/akwaaba;1,2.png?v=3",
  brand_color: "#f2b705",
  contact_email: "help@akwaaba.example",
  contact_phone: "+233 30 222 1234",
  website_url: "https://akwaaba.example/",
  support_line: "Open from 9 to 5 & on Saturdays.",
};

/** The page at an address, and the policy it came with. */
async function open(url: string) {
  const answer = await fetch(url);
  return {
    status: answer.status,
    text: await answer.text(),
    policy: answer.headers.get("Content-Security-Policy") ?? "",
  };
}

/** The pages of an order: of its recovery link, of its own link, and where it is paid. */
async function pagesOf(shop: TestShop) {
  const { order, url } = await unpaidOrder(shop);
  const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });
  return Promise.all(
    [url, order.string("/status_url"), payment.string("/authorization_url")].map(open),
  );
}

describe("the pages for customers", () => {
  const shown = sharedShop({ asks: "nothing" });
  beforeAll(async () => {
    expect((await shown.put("/v2/store", look)).status).toBe(200);
  });

  test("have the name, logo, color, contact and line of the shop", async () => {
    const pages = await pagesOf(shown);

    for (const { text, policy } of pages) {
      expect(text).toContain('<html lang="en-GH">');
      expect(text).toContain("Akwaaba &lt;b&gt;Crafts&lt;/b&gt;");
      expect(text).toContain('src="https://pictures.example/akwaaba;1,2.png?v=3"');
      expect(text).toContain("--pay: #f2b705; --pay-ink: #000000;");
      expect(text).toContain('href="mailto:help@akwaaba.example"');
      expect(text).toContain('href="tel:+233302221234"');
      expect(text).toContain("Open from 9 to 5 &amp; on Saturdays.");
      expect(policy).toContain("; img-src https://pictures.example/akwaaba%3B1%2C2.png;");
    }
  });

  test("load nothing and lead nowhere else where the shop set nothing", async () => {
    await using shop = await openTestShop({ asks: "nothing" });

    const pages = await pagesOf(shop);

    for (const { text, policy } of pages) {
      expect(text).toContain('<html lang="en">');
      expect(text).not.toMatch(/<img|<footer|mailto:|tel:/);
      expect(policy).not.toContain("img-src");
    }
  });

  test("write amounts and days as people of the locale do, and their language as it is", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { locale: "de-DE", currency: "EUR" });
    const order = await place(shop, [of(await mug(shop, { price: "1234.50" }))], {
      paid: { method: "bank_transfer" },
    });

    const { text } = await open(order.string("/status_url"));

    expect(text).toContain('<html lang="en">');
    expect(text).toContain("1.234,50\u00a0€");
    expect(text).toContain("05.01.2026");
  });

  const counting = sharedShop({ asks: "nothing" });

  test.each([
    ["GHS", "1234567.50", "GHS 1,234,567.50"],
    ["UGX", "49500", "UGX 49,500"],
    ["KWD", "12.345", "KWD 12.345"],
    ["CLF", "1.2345", "CLF 1.2345"],
  ])("group the digits of large amounts in %s", async (currency, price, written) => {
    await counting.put("/v2/store", { currency });
    const order = await place(counting, [of(await mug(counting, { price }))], {
      paid: { method: "bank_transfer" },
    });

    expect((await open(order.string("/status_url"))).text).toContain(written);
  });

  test.each([
    ["fr-FR", "$US"],
    ["he-IL", "\u200f$"],
  ])("take the payment of an amount that is written as in %s", async (locale, written) => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { locale });
    const { url } = await unpaidOrder(shop);
    const amount = /name="amount" value="([^"]*)"/.exec((await open(url)).text)?.[1] ?? "";

    const body = new URLSearchParams({ method: "gateway", amount });
    const paying = await fetch(url, { method: "POST", redirect: "manual", body });

    expect([paying.status, amount]).toEqual([303, expect.stringContaining(written)]);
  });

  test("thank for what was bought, and lead on to the shop", async () => {
    const order = await place(shown, [of(await mug(shown))], { paid: { method: "bank_transfer" } });

    const { text } = await open(order.string("/status_url"));

    expect(text).toContain("Thank you for your order. The shop is preparing it.");
    expect(text).toContain("Keep the link to this page");
    expect(text).toContain('href="https://akwaaba.example/"');
  });

  test.each(["/recover/nothing", "/o/nothing", "/test/pay/nothing"])(
    "that do not exist, such as %s, still are those of the shop",
    async (path) => {
      const { status, text } = await open(`${shown.url}${path}`);

      expect(status).toBe(404);
      expect(text).toContain("Not found");
      expect(text).toContain("Akwaaba &lt;b&gt;Crafts&lt;/b&gt;");
      expect(text).toContain('href="https://akwaaba.example/"');
    },
  );
});
