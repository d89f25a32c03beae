// Values as people, spreadsheets and shops write them: read where they can mean one thing, with a note where something is
// left out, and refused where they can mean two.

import { describe, expect, test } from "bun:test";

import { sharedShop } from "../../support/shop.ts";
import { faultsOf, importText, product, warningsOf } from "./import-shop.ts";
import { fileOf } from "./shop-files.ts";

const shop = sharedShop();
let count = 0;

/** Imports a product of Shopify with these cells, and returns it with its first variant, faults and notes. */
async function shopify(cells: Readonly<Record<string, string>>) {
  const handle = `written-${(count += 1)}`;
  const report = await importText(shop, [fileOf([{ Handle: handle, Title: "Mug", ...cells }])]);
  const taken = Object(await product(shop, handle));
  return { ...told(report), taken, variant: Object(taken.variants?.[0]) };
}

/** The same of WooCommerce. */
async function woo(cells: Readonly<Record<string, string>>) {
  const name = `woo-${(count += 1)}`;
  const row = { Type: "simple", SKU: name, Name: name, "Regular price": "10", ...cells };
  const report = await importText(shop, [fileOf([row])]);
  const taken = Object(await product(shop, name));
  return { ...told(report), taken, variant: Object(taken.variants?.[0]) };
}

function told(report: Parameters<typeof faultsOf>[0]) {
  return {
    faults: report.faults.map(({ detail }) => detail),
    codes: faultsOf(report),
    notes: warningsOf(report).join("\n"),
  };
}

describe("a price", () => {
  test.each([
    [",5", 0.5],
    ["1 000,5", 1000.5],
    ["1\u{202f}000,50", 1000.5],
    ["1'000", 1000],
    ["1’000.50", 1000.5],
    ["1.234,50", 1234.5],
    ["1.234.567", 1_234_567],
    ["12,34,567.50", 1_234_567.5],
    ["5,-", 5],
    ["5.–", 5],
    ["+5", 5],
    ["５.５０", 5.5],
    ["٥", 5],
  ])("is read from %s", async (price, amount) => {
    const { faults, variant } = await shopify({ "Variant Price": price });

    expect(faults).toEqual([]);
    expect(variant).toMatchObject({ prices: [{ amount }] });
  });

  test.each(["$5.00", "US$ 5.00", "USD 5", "5 usd", "5,00 $", "5.00USD"])(
    "is read from %s, with a note, in a file of dollars",
    async (price) => {
      const { notes, variant } = await shopify({ "Variant Price": price });

      expect(variant).toMatchObject({ prices: [{ currency: "USD", amount: 5 }] });
      expect(notes).toContain("The price is taken without the sign of its currency.");
    },
  );

  test.each([
    ["GHS", "GH₵1.25"],
    ["GHS", "₵ 1.25"],
    ["GHS", "1.25 GHS"],
    ["KES", "KSh 1.25"],
    ["NGN", "₦1.25"],
    ["INR", "Rs. 1.25"],
    ["ZAR", "R 1,25"],
    ["EUR", "1,25 €"],
    ["SEK", "1,25 kr"],
  ])("of %s is read from %s", async (currency, price) => {
    const rows = fileOf([{ Handle: `sign-${(count += 1)}`, Title: "Mug", "Variant Price": price }]);

    const report = await importText(shop, [rows], { currency, isTrial: true });

    expect(report).toMatchObject({ faults: [], mended: 1 });
  });

  test.each(["€5", "5 GHS", "£3", "Rs. 500"])(
    "of another currency than that of the file is refused: %s",
    async (price) => {
      const { faults } = await shopify({ "Variant Price": price });

      expect(faults).toEqual([expect.stringMatching(/^The sign \S+ is not that of USD/)]);
    },
  );

  test.each([
    "free",
    "5%",
    "−5",
    "(5.00)",
    "5-10",
    "1/2",
    "0x10",
    "1e3",
    "Infinity",
    "#REF!",
    "12 50",
  ])("is refused, not guessed: %s", async (price) => {
    const { codes, taken } = await shopify({ "Variant Price": price });

    expect(codes).toEqual(["2 Variant Price invalid_format"]);
    expect(taken).toEqual({});
  });

  test("with a sign and a comma that may be either is refused with both readings", async () => {
    const { faults } = await shopify({ "Variant Price": "$1,250" });

    expect(faults).toEqual([expect.stringMatching(/^This may be 1250 or 1\.250: /)]);
  });

  test("that says that there is none is left blank, with a note", async () => {
    const { notes, variant } = await shopify({ "Variant Price": "n/a" });

    expect(variant.prices).toEqual([]);
    expect(notes).toContain("A cell with n/a has no value, and is left blank.");
  });
});

describe("a weight", () => {
  test.each([
    ["0,5", 1],
    ["1 000,5", 1001],
    ["1'000", 1000],
    ["500 g", 500],
    ["0.5kg", 500],
    ["0,5 kg", 500],
    ["1 lb", 454],
    ["12 oz.", 340],
    ["n/a", null],
  ])("is read from %s", async (weight, grams) => {
    const { faults, variant } = await shopify({ "Variant Grams": weight });

    expect(faults).toEqual([]);
    expect(variant.weight_grams).toBe(grams);
  });

  test("of WooCommerce may name another unit than its column", async () => {
    const { notes, variant } = await woo({ "Weight (kg)": "250 g" });

    expect(variant.weight_grams).toBe(250);
    expect(notes).toContain("The weight 250 g is read in its own unit.");
  });

  test.each(["-5", "5%", "1.5E+03", "heavy", "1,250"])("is refused: %s", async (weight) => {
    const { codes } = await shopify({ "Variant Grams": weight });

    expect(codes).toEqual(["2 Variant Grams wrong_type"]);
  });
});

describe("stock", () => {
  test.each(["1'000", "1 000", "1000.00", "+1000", "１０００"])(
    "is read from %s",
    async (units) => {
      const { faults, notes } = await shopify({ "Variant Inventory Qty": units });

      expect([faults, notes]).toEqual([[], ""]);
    },
  );

  test("with the minus of a typesetter is below zero, and is taken as none", async () => {
    const { notes } = await shopify({ "Variant Inventory Qty": "−5" });

    expect(notes).toContain("The stock is below zero and is taken as 0.");
  });

  test.each(["10 pcs", "1.5", "∞", "in stock", "TRUE"])("is refused: %s", async (units) => {
    const { codes } = await shopify({ "Variant Inventory Qty": units });

    expect(codes).toEqual(["2 Variant Inventory Qty wrong_type"]);
  });
});

describe("a choice", () => {
  test.each([
    ["TRUE", true],
    ["yes", true],
    ["1", true],
    ["Y", true],
    ["oui", true],
    ["WAHR", true],
    ["VERDADERO", true],
    ["ИСТИНА", true],
    ["'true", true],
    ["no", false],
    ["FAUX", false],
    ["nein", false],
    ["0", false],
  ])("is read from %s, whichever shop wrote it", async (text, isTrue) => {
    const ofShopify = await shopify({
      Published: text,
      "Continue selling when out of stock": text,
    });
    const ofWoo = await woo({ Published: text, "Backorders allowed?": text, Stock: "1" });

    const status = isTrue ? "active" : "draft";
    expect([ofShopify.taken.status, ofWoo.taken.status]).toEqual([status, status]);
    expect([ofShopify.faults, ofWoo.faults]).toEqual([[], []]);
  });

  test.each(["maybe", "✓"])("is refused where it tells nothing: %s", async (text) => {
    const ofShopify = await shopify({ "Variant Requires Shipping": text });
    const ofWoo = await woo({ Published: text, "Backorders allowed?": text, Stock: "1" });

    expect(ofShopify.codes).toEqual(["2 Variant Requires Shipping invalid_choice"]);
    expect(ofWoo.codes).toEqual([
      "2 Published invalid_choice",
      "2 Backorders allowed? invalid_choice",
    ]);
  });

  test.each(["-1", "2"])(
    "of WooCommerce for a product that is not published is %s",
    async (text) => {
      expect((await woo({ Published: text })).taken.status).toBe("draft");
    },
  );
});

describe("the date on which a sale ends", () => {
  test.each([
    "2999-11-30",
    "2999-11-30 10:00:00",
    "2999-11-30T10:00:00Z",
    "2999/11/30",
    "29991130",
    "30/11/2999",
    "11/30/2999",
    "05.06.2999",
    "05/05/2999",
    "Nov 30, 2999",
    "30 November 2999",
    "0000-00-00",
    "n/a",
  ])("is read from %s", async (date) => {
    const row = { "Sale price": "8", "Date sale price ends": date };

    const { faults, variant } = await woo(row);

    expect(faults).toEqual([]);
    expect(variant).toMatchObject({ prices: [{ amount: 8, compare_at: 10 }] });
  });

  test("is refused with both readings where the month may be either number", async () => {
    const { faults } = await woo({ "Sale price": "8", "Date sale price ends": "05/06/2999" });

    expect(faults).toEqual([
      "A date is written like 2026-11-30: this may be 2999-06-05 or 2999-05-06.",
    ]);
  });

  test.each(["45991", "2999-13-45", "2999-02-31", "30/11/26", "soon"])(
    "is refused: %s",
    async (date) => {
      const { faults } = await woo({ "Sale price": "8", "Date sale price ends": date });

      expect(faults).toEqual(["A date is written like 2026-11-30."]);
    },
  );
});

describe("a cell of pictures", () => {
  const a = "https://cdn.example/a.jpg";
  const b = "https://cdn.example/b.jpg";

  test.each([
    [` ${a} `, [a]],
    [`${a}?v=1&width=600`, [`${a}?v=1&width=600`]],
    ["http://cdn.example/a.jpg", ["http://cdn.example/a.jpg"]],
    ["HTTPS://CDN.example/a.jpg", [a]],
    ["//cdn.example/a.jpg", [a]],
    ["https://cdn.example/100%.jpg", ["https://cdn.example/100%25.jpg"]],
    ["https://cdn.example/a[1].jpg", ["https://cdn.example/a%5B1%5D.jpg"]],
    ["https://cdn.example/a,b.jpg", ["https://cdn.example/a,b.jpg"]],
    [`${a}, ${b}`, [a, b]],
    [`${a},${b}`, [a, b]],
    [`${a} | ${b}`, [a, b]],
    [`${a};${b}`, [a, b]],
    [`${a}\n${b}`, [a, b]],
    [`https://cdn.example/fetch/${a}`, [`https://cdn.example/fetch/${a}`]],
  ])("is read from %s", async (cell, expected) => {
    const ofShopify = await shopify({ "Image Src": cell });
    const ofWoo = await woo({ Images: cell });

    const urlsOf = ({ taken }: typeof ofShopify) =>
      taken.images.map(({ url }: { url: string }) => url);
    expect([urlsOf(ofShopify), urlsOf(ofWoo)]).toEqual([expected, expected]);
  });

  test.each([
    "data:image/png;base64,iVBORw0KGgo=",
    "ftp://cdn.example/a.jpg",
    "a.jpg",
    "C:\\a.jpg",
  ])("is left blank, with a note, where it has no address of the web: %s", async (cell) => {
    const { taken, notes } = await shopify({ "Image Src": cell });

    expect(taken.images).toEqual([]);
    expect(notes).toContain("Image Src is left blank: This is not an address of the web");
  });
});

describe("a code", () => {
  test.each([
    ["'00123", "00123"],
    ['="00123"', "00123"],
    ["5901234123457.0", "5901234123457"],
    ["#N/A", null],
    ["n/a", null],
    ["0", "0"],
  ])("is read from %s", async (barcode, read) => {
    const { faults, variant } = await shopify({ "Variant Barcode": barcode });

    expect(faults).toEqual([]);
    expect(variant.barcode).toBe(read);
  });

  test.each(["1.23457E+12", "1,23457E+12"])(
    "is refused where digits are lost: %s",
    async (code) => {
      const { codes } = await shopify({ "Variant Barcode": code, "Variant SKU": code });

      expect(codes.toSorted()).toEqual([
        "2 Variant Barcode invalid_format",
        "2 Variant SKU invalid_format",
      ]);
    },
  );

  test("that two variants lack is no code of both", async () => {
    const rows = [1, 2].map((at) => ({
      Handle: `codeless-${at}`,
      Title: "Mug",
      "Variant SKU": "n/a",
    }));

    expect(faultsOf(await importText(shop, [fileOf(rows)]))).toEqual([]);
  });
});

describe("a text", () => {
  test.each([
    ["Salt &amp; Pepper", "Salt & Pepper"],
    ["T&#8217;s &Uuml;ber", "T’s Über"],
    ["<b>Salt</b><br>Pepper", "Salt Pepper"],
    ["&lt;b&gt;", "<b>"],
    ["a<b", "a<b"],
    ["<3 hearts & more", "<3 hearts & more"],
    ['5" x 7"', '5" x 7"'],
    ["R&D; &unknown;", "R&D; &unknown;"],
  ])("is read from %s", async (text, read) => {
    const ofShopify = await shopify({ Title: text, Vendor: text, Tags: text });
    const ofWoo = await woo({ Brands: text, Tags: text, Categories: text.replace(/<.*>/, "") });

    expect(ofShopify.taken).toMatchObject({ name: read, brand: read, tags: [read] });
    expect(ofWoo.taken).toMatchObject({ brand: read, tags: [read] });
    const isMended = text !== read;
    expect(ofShopify.notes.includes("The name is taken without its HTML.")).toBe(isMended);
  });

  test.each([
    ["a|b", ["a|b"]],
    ["a;b", ["a;b"]],
    [" a ,, b,", ["a", "b"]],
    ["a\nb", ["a b"]],
  ])("of tags is parted by commas alone: %s", async (tags, read) => {
    expect((await shopify({ Tags: tags })).taken.tags).toEqual(read);
  });
});

test("handles become slugs", async () => {
  const rows = ["My.Handle", "UPPER_case", "naïve café", "-edge-"].map((Handle) => ({
    Handle,
    Title: "Mug",
  }));

  await importText(shop, [fileOf(rows)]);

  const found = await Promise.all(
    ["my-handle", "upper-case", "naive-cafe", "edge"].map((slug) => product(shop, slug)),
  );
  expect(found).toMatchObject([{ name: "Mug" }, { name: "Mug" }, { name: "Mug" }, { name: "Mug" }]);
});

describe("in a file of Duka's own", () => {
  test.each([
    ["price_usd", "1'000.50", "invalid_format"],
    ["price_usd", "5.-", "invalid_format"],
    ["price_usd", "$5", "invalid_format"],
    ["weight_grams", "1 kg", "wrong_type"],
    ["stock", "1 000", "wrong_type"],
  ])("%s is not read from %s: it stays strict", async (column, value, code) => {
    const row = { price_usd: "5.00", [column]: value };
    const head = ["slug", "name", ...Object.keys(row)].join(",");

    const report = await importText(shop, [head, ["own", "Own", ...Object.values(row)].join(",")]);

    expect(report.source).toBe("duka");
    expect(faultsOf(report)).toEqual([`2 ${column} ${code}`]);
  });
});
