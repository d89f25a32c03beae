// The rules of products and variants on plain data.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type NewProduct, readVariants, slugOf, visibleStatuses } from "#catalog/rows/product.ts";
import {
  checkOptions,
  checkVariants,
  fitsOptions,
  readPrices,
  saleName,
  titleOf,
} from "#catalog/rows/variant.ts";
import { firstIdAt } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";

const size = { name: "size", values: ["S", "M"] };
const color = { name: "color", values: ["red", "blue"] };
const nothingShort = { price: undefined, currency: undefined, sku: undefined, stock: undefined };

function faultsOf(check: (faults: Faults) => void): string[] {
  const faults = new Faults();
  check(faults);
  return faults.list.map(({ pointer, code }) => `${pointer} ${code}`);
}

function refusalOf(input: NewProduct): string[] {
  return faultsOf((faults) => readVariants(input, { currency: "GHS", faults }));
}

function inCedis() {
  return { currency: "GHS", faults: new Faults() } as const;
}

describe("the slug of a name", () => {
  test.each([
    ["Enamel Mug", "enamel-mug"],
    ["  Tée-Shirt  № 5! ", "tee-shirt-no-5"],
    ["Kɔkɔɔ & Ŋmɛ", "kokoo-nme"],
    ["Straße Øre Łódź", "strasse-ore-lodz"],
    ["Ada's Bread", "adas-bread"],
    ["O’Brien’s Hausa ƙasa, Žluťoučký kůň", "obriens-hausa-kasa-zlutoucky-kun"],
    ["የኢትዮጵያ ቡና", "yeityopya-buna"],
    ["قهوة عربية", "qhwh-rbyh"],
    ["Київський чайник", "kiivskiy-chaynik"],
    ["Καφές ελληνικός", "kafes-ellinikos"],
    ["咖啡杯", "kafeibei"],
    ["한국 김치", "hangug-gimchi"],
    ["हिन्दी चाय", "hindi-cay"],
    ["قهوة ٢٥٠ غ", "qhwh-250-gh"],
    ["Mug ☕ ½ €5", "mug-1-2-5"],
    ["☕🎉", "product"],
    ["---", "product"],
  ])("of %p is %p", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test("is an address whatever the name is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
        expect(slugOf(name)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slugOf(name).length).toBeLessThanOrEqual(180);
      }),
    );
  });

  test("stays the same when it is made of a slug", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(slugOf(slugOf(name))).toBe(slugOf(name));
      }),
    );
  });
});

describe("a variant's title", () => {
  test("names its values in the order of the options", () => {
    expect(titleOf({ color: "red", size: "M" }, [size, color])).toBe("M / red");
  });

  test("omits an option without a value", () => {
    expect(titleOf({ color: "red" }, [size, color])).toBe("red");
  });

  test("is Default without values", () => {
    expect(titleOf({}, [size])).toBe("Default");
  });

  test("follows the product's name on an order line unless it is the default", () => {
    expect(saleName("Shirt", "M / red")).toBe("Shirt – M / red");
    expect(saleName("Mug", "Default")).toBe("Mug");
  });
});

describe("options", () => {
  test("cannot be declared twice", () => {
    expect(faultsOf((faults) => checkOptions([size, color, size], faults))).toEqual([
      "/options/2/name duplicate",
    ]);
  });

  test("that are not declared are refused at their pointer", () => {
    const variants = [{ sku: null, options: { "a/b": "x", size: "XL" }, pointer: "/variants/0" }];

    expect(
      faultsOf((faults) => checkVariants(variants, { options: [size], others: [] }, faults)),
    ).toEqual([
      "/variants/0/options/a~1b unknown_option",
      "/variants/0/options/size invalid_choice",
    ]);
  });

  test("distinguish two variants", () => {
    const variants = [
      { sku: "A", options: { size: "S" }, pointer: "/variants/0" },
      { sku: "A", options: { size: "S" }, pointer: "/variants/1" },
    ];

    expect(
      faultsOf((faults) => checkVariants(variants, { options: [size], others: [] }, faults)),
    ).toEqual(["/variants/1/options duplicate", "/variants/1/sku duplicate"]);
  });

  test("may be omitted by more than one variant", () => {
    const variants = [
      { sku: null, options: {}, pointer: "/variants/0" },
      { sku: null, options: {}, pointer: "/variants/1" },
    ];

    expect(
      faultsOf((faults) => checkVariants(variants, { options: [size], others: [] }, faults)),
    ).toEqual([]);
  });

  test("do not fit if a variant's value is missing", () => {
    const input: NewProduct = {
      fields: { name: "Shirt", options: [size] },
      variants: [{ options: { size: "M" }, stock: { onHand: 0 } }],
      short: nothingShort,
    };
    const variants = readVariants(input, inCedis()).map((draft, position) => ({
      ...draft,
      id: firstIdAt("variant", position),
      productId: firstIdAt("product", 0),
      title: "M",
      position,
      available: 0,
      inStock: false,
      image: null,
      mediaUrl: "",
    }));

    expect(fitsOptions(variants, [{ name: "size", values: ["M", "L"] }])).toBe(true);
    expect(fitsOptions(variants, [{ name: "size", values: ["S", "L"] }])).toBe(false);
    expect(fitsOptions(variants, [])).toBe(false);
  });
});

describe("prices", () => {
  test("are read in minor units, in the shop's currency by default", () => {
    const faults = new Faults();

    const prices = readPrices(
      [
        { currency: undefined, amount: "249.50", compareAt: 300 },
        { currency: "UGX", amount: 49500, compareAt: null },
        { currency: "KWD", amount: 12.345, compareAt: "12.345" },
      ],
      "/prices",
      { faults, currency: "GHS" },
    );

    expect(faults.list).toEqual([]);
    expect(prices).toEqual([
      { currency: "GHS", amountMinor: 24950, compareAtMinor: 30000 },
      { currency: "UGX", amountMinor: 49500, compareAtMinor: null },
      { currency: "KWD", amountMinor: 12345, compareAtMinor: 12345 },
    ]);
  });

  test("are refused with each fault at its pointer", () => {
    const given = [
      { currency: undefined, amount: 1.005, compareAt: 3 },
      { currency: "GHS", amount: 5, compareAt: 4.99 },
      { currency: "JPY", amount: 1e15, compareAt: "0.5" },
    ] as const;

    expect(
      faultsOf((faults) => {
        readPrices(given, "/prices", { faults, currency: "GHS" });
      }),
    ).toEqual([
      "/prices/0/amount amount_precision",
      "/prices/1/currency duplicate",
      "/prices/1/compare_at compare_at_too_low",
      "/prices/2/amount amount_too_large",
      "/prices/2/compare_at amount_precision",
    ]);
  });
});

describe("the short form", () => {
  const fields = { name: "Mug" };

  test("creates one variant in the shop's currency", () => {
    const short = { price: 5, currency: undefined, sku: "MUG", stock: 7 };

    expect(readVariants({ fields, variants: undefined, short }, inCedis())).toEqual([
      {
        sku: "MUG",
        barcode: null,
        options: {},
        prices: [{ currency: "GHS", amountMinor: 500, compareAtMinor: null }],
        weightGrams: null,
        requiresShipping: true,
        image: null,
        metadata: {},
        stock: { onHand: 7 },
      },
    ]);
  });

  test("without a price creates a variant without one", () => {
    const [only] = readVariants({ fields, variants: undefined, short: nothingShort }, inCedis());

    expect(only?.prices).toEqual([]);
  });

  test("refuses a price with too many digits", () => {
    const short = { ...nothingShort, price: 1.5, currency: "UGX" } as const;

    expect(refusalOf({ fields, variants: undefined, short })).toEqual(["/price amount_precision"]);
  });

  test("cannot be mixed with variants", () => {
    const variants = [{ stock: { onHand: 0 } }];
    const short = { price: 5, currency: "GHS", sku: null, stock: 0 } as const;

    expect(refusalOf({ fields, variants, short })).toEqual([
      "/price mixed_forms",
      "/currency mixed_forms",
      "/sku mixed_forms",
      "/stock mixed_forms",
    ]);
  });
});

describe("what a caller sees", () => {
  test("is every requested status with products:read", () => {
    expect(visibleStatuses(new Set(["products:read"]), ["draft"])).toEqual(["draft"]);
    expect(visibleStatuses(new Set(["products:read"]))).toBeUndefined();
  });

  test("is only active products with catalog:read", () => {
    expect(visibleStatuses(new Set(["catalog:read"]))).toEqual(["active"]);
    expect(visibleStatuses(new Set(["catalog:read"]), ["draft", "active"])).toEqual(["active"]);
    expect(visibleStatuses(new Set(["catalog:read"]), ["draft"])).toEqual([]);
  });
});
