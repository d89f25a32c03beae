// What others wrote into names, links and settings does no harm in an email, and its amounts are those of the order's
// page.

import { describe, expect, test } from "bun:test";

import { oneLine } from "#kernel/typed-text.ts";

import { of, place } from "../../sales/orders/counter.ts";
import { accra, discount, levies, shipTo, tax } from "../../sales/pricing/priced-shop.ts";
import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { sentAbout } from "./read-email.ts";

const shared = sharedShop();

const email = "ada@example.com";
const paid = { method: "bank_transfer" };

describe("names in an email", () => {
  test("are text in HTML, whatever they are", async () => {
    await using shop = await openTestShop();
    const name = `"><img src=x onerror=alert(1)>`;
    await shop.put("/v2/store", { name, support_line: name });
    const cup = await mug(shop, { name });
    await place(shop, [of(cup)], { customer: { email, name: `<b>${name}` }, paid });

    const { html } = await sentAbout(shop, "order_paid", "order.paid");

    expect(html).not.toContain("<img");
    expect(html).not.toContain("<b>");
    expect(html).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<script");
  });

  test("advertise nothing: a stranger may order for any address", async () => {
    const cup = await mug(shared);
    for (const name of ["win.example/prize now", "https://win.example", "a@b.example write"]) {
      await place(shared, [of(cup)], { customer: { email, name }, tax_id: name, paid });

      const { to, text, html } = await sentAbout(shared, "order_paid", "order.paid");

      expect(text).toStartWith("Hello,\n");
      expect(`${text}${html}${to.name}`).not.toContain(name);
    }
  });

  test("break no line of a header or a list", () => {
    expect(oneLine("Ada\r\nBcc: all@example.com\u2028\u0000x")).toBe("Ada Bcc: all@example.com x");
  });

  test("from the right stand apart from the numbers beside them", async () => {
    await place(shared, [of(await mug(shared, { name: "قميص" }))], {
      customer: { email, name: "سارة" },
      paid,
    });

    const { text } = await sentAbout(shared, "order_paid", "order.paid");

    expect(text).toStartWith("Hello \u2068سارة\u2069,");
    expect(text).toContain("- \u2068قميص\u2069: USD 12.50");
  });
});

describe("what was chosen of a line", () => {
  const told = async (metadata: object) => {
    await place(shared, [{ ...of(await mug(shared)), metadata }], { customer: { email }, paid });
    return sentAbout(shared, "order_paid", "order.paid");
  };

  test("is told by its name without what only the shop reads, and is text in HTML", async () => {
    const { text, html } = await told({
      public_gift_note: "For <b>Ada</b>",
      bin: "A4",
      public_tally: 2,
    });

    expect(text).toContain("(1 × USD 12.50, gift note: For <b>Ada</b>)");
    expect(html).toContain("gift note: For &lt;b&gt;Ada&lt;/b&gt;");
    expect(text).not.toContain("A4");
    expect(text).not.toContain("tally");
  });

  test("advertises nothing, neither by its name nor by its text", async () => {
    for (const metadata of [
      { public_note: "win.example/prize" },
      { public_note: "https://win.example" },
      { "public_win.example": "prize" },
    ]) {
      const { text, html } = await told(metadata);

      expect(`${text}${html}`).not.toContain("win.example");
    }
  });

  test("is short: five texts of a line, each of a hundred characters", async () => {
    const names = ["a", "b", "c", "d", "e", "f"].map((name) => [`public_${name}`, "x".repeat(130)]);

    const { text } = await told(Object.fromEntries(names));

    expect(Array.from(text.matchAll(/\w: x+/g), ([note]) => note)).toEqual(
      ["a", "b", "c", "d", "e"].map((name) => `${name}: ${"x".repeat(97)}`),
    );
  });
});

test("an email loads only the logo of the shop, and wears its color", async () => {
  await using shop = await openTestShop();
  const logo = "https://pictures.example/logo.png";
  await shop.put("/v2/store", { logo_url: logo, brand_color: "#f2b705" });
  await place(shop, [of(await mug(shop))], { customer: { email }, paid });

  const { html } = await sentAbout(shop, "order_paid", "order.paid");

  expect([...html.matchAll(/\b(?:src|background)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    logo,
  ]);
  expect(html).not.toMatch(/url\(|@import|<link|<form/);
  expect(html).toContain("background:#f2b705;color:#000000");
});

/** The amounts of the order's page, as `name amount`. */
async function sumsOfPage(url: string): Promise<string[]> {
  const page = await (await fetch(url)).text();
  const rows = page.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g);
  const included = page.matchAll(/<p class="included">([^<]*)</g);
  return [
    ...[...rows].map(([, name, sum]) => `${name}: ${sum}`),
    ...[...included].map(([, one]) => String(one)),
  ];
}

const sales: [string, (shop: TestShop) => Promise<unknown>][] = [
  ["taxes on top", (shop) => tax(shop, "GH", { rates: levies })],
  ["taxes in the prices", (shop) => tax(shop, "GH", { rates: levies, prices_include_tax: true })],
];

describe("the amounts in an email", () => {
  test.each(sales)("are those of the order's page: %s", async (_, levy) => {
    await using shop = await openTestShop();
    await levy(shop);
    await discount(shop, { codes: ["SALE"] });
    const rate_id = await shipTo(shop, ["GH"]);
    const order = await place(shop, [of(await mug(shop), 3), of(await kanga(shop))], {
      customer: { email },
      shipping_address: accra,
      discount_codes: ["SALE"],
      shipping: { rate_id },
      paid,
    });

    const { text, html } = await sentAbout(shop, "order_paid", "order.paid");

    const sums = await sumsOfPage(order.string("/status_url"));
    expect(sums.length).toBeGreaterThanOrEqual(8);
    expect(text.split("\n")).toEqual(expect.arrayContaining(sums));
    for (const sum of sums) expect(read(html)).toContain(plain(sum));
    expect(text).toContain(`Total: USD ${order.number("/total").toFixed(2)}\n`);
  });
});

/** What stands in the HTML. */
function read(html: string): string {
  return plain(html.replaceAll(/<[^>]*>/g, " "));
}

/** A text without colons and with single spaces: HTML has names and amounts in cells of their own. */
function plain(text: string): string {
  return text.replaceAll(/[\s:]+/g, " ");
}
