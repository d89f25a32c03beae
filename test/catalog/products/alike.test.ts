// Names and SKUs that look alike are alike: what no screen shows is not kept.

import { describe, expect, test } from "bun:test";

import { openTestShop, sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

const RIGHT_TO_LEFT = "\u202e";

describe("a SKU", () => {
  test("is kept composed, so that two that look alike are one", async () => {
    const mug = { name: "Mug", price: 5 };

    const made = await shop.post("/v2/products", { ...mug, sku: "CAFE\u0301-1" });
    const again = await shop.post("/v2/products", { ...mug, sku: "CAF\u00c9-1" });

    expect(made.at("/variants/0/sku")).toBe("CAF\u00c9-1");
    expect([again.status, again.code]).toEqual([409, "sku_taken"]);
  });

  test.each([
    ["A\u200b1", "A1"],
    ["B\u00ad1", "B1"],
    ["\ufeffC1", "C1"],
    ["D\u202e1 ", "D1"],
    ["E\ufe0f1", "E1"],
    ["F\u2011\uff11", "F-1"],
  ])("%j is kept as %s", async (sku, kept) => {
    const made = await shop.post("/v2/products", { name: "Mug", price: 5, sku });

    expect(made.at("/variants/0/sku")).toBe(kept);
  });

  test.each(["A\u00001", "A\u3164"])("%j has a character that no label shows", async (sku) => {
    const before = await shop.get("/v2/products");

    const refused = await shop.post("/v2/products", { name: "Mug", price: 5, sku });

    expect(refused.status).toBe(422);
    expect((await shop.get("/v2/products")).body).toEqual(before.body);
  });
});

test("a SKU is found as it is kept, however it is composed", async () => {
  await shop.post("/v2/products", { name: "Mug", price: 5, sku: "CAF\u00c9-1" });
  const sku = encodeURIComponent("CAFE\u0301-1");

  const products = await shop.get(`/v2/products?sku=${sku}`);
  const levels = await shop.get(`/v2/inventory?sku=${sku}`);

  expect([products.list("/data").length, levels.list("/data").length]).toEqual([1, 1]);
});

describe("a name", () => {
  test("loses the marks of its direction, and keeps its letters", async () => {
    const made = await shop.post("/v2/customers", {
      name: `\u2067\u0641\u0627\u0637\u0645\u0629\u2069${RIGHT_TO_LEFT}`,
      email: "f@example.com",
    });

    expect(made.at("/name")).toBe("\u0641\u0627\u0637\u0645\u0629");
  });

  test.each(["Ada\nLovelace", " Ada\tLovelace", "Ada\u0085Lovelace\u2028"])(
    "%j is kept in one line",
    async (name) => {
      const email = `ada-${encodeURIComponent(name).length}@example.com`;
      const made = await shop.post("/v2/customers", { name, email });

      expect(made.at("/name")).toBe("Ada Lovelace");
    },
  );

  test("with U+0000 is refused, which no engine keeps", async () => {
    const refused = await shop.post("/v2/customers", { name: "Ada\u0000" });

    expect([refused.status, refused.at("/errors/0/detail")]).toEqual([
      422,
      "This has the character U+0000, which cannot be kept.",
    ]);
  });

  test.each([RIGHT_TO_LEFT, "\u200b\u200d", " \u3164 ", "\u00ad", "\ufe0f"])(
    "of nothing but marks, such as %j, is empty",
    async (name) => {
      const refused = await shop.post("/v2/products", { name, price: 5 });

      expect([refused.status, refused.faults]).toEqual([422, ["#/name too_short"]]);
    },
  );

  test("of letters that are joined keeps what joins them", async () => {
    const family = "\u{1f469}\u200d\u{1f467} می\u200cخواهم";

    const made = await shop.post("/v2/products", { name: family, price: 5 });

    expect(made.at("/name")).toBe(family);
  });
});

/** The word between marks of direction, as programs for Arabic bring them along. */
const marked = (word: string) => `\u200f${word}${RIGHT_TO_LEFT}`;

describe("the words of a shop lose the marks of their direction:", () => {
  test("options and their values, which variants name with or without them", async () => {
    const options = [{ name: marked("Size"), values: [marked("S"), "M"] }];
    const variants = [
      { options: { Size: "S" }, prices: [{ amount: 5 }] },
      { options: { [marked("Size")]: marked("M") }, prices: [{ amount: 5 }] },
    ];

    const made = await shop.post("/v2/products", { name: "Shirt", options, variants });

    expect(made.at("/options")).toEqual([{ name: "Size", values: ["S", "M"] }]);
    expect(made.at("/variants/0/options")).toEqual({ Size: "S" });
    expect(made.at("/variants/1/options")).toEqual({ Size: "M" });
  });

  test("tags and categories of products, which filters find with or without them", async () => {
    const words = { category: marked("Cups"), tags: [marked("new")] };

    const made = await shop.post("/v2/products", { name: "Mug", price: 5, ...words });

    expect([made.at("/category"), made.at("/tags")]).toEqual(["Cups", ["new"]]);
    const filters = ["tag=new", `tag=${encodeURIComponent(marked("new"))}`, "category=Cups"];
    const found = await Promise.all(filters.map((one) => shop.get(`/v2/products?${one}`)));
    expect(found.map((page) => page.list("/data").length)).toEqual([1, 1, 1]);
  });

  test("tags of customers", async () => {
    const tags = [marked("regular")];

    const made = await shop.post("/v2/customers", { email: "regular@example.com", tags });

    const tag = encodeURIComponent(marked("regular"));
    expect(made.at("/tags")).toEqual(["regular"]);
    expect((await shop.get(`/v2/customers?tag=${tag}`)).list("/data")).toHaveLength(1);
  });

  test("labels of payment methods and of shipping, and lines without a variant", async () => {
    await using shop = await openTestShop();
    const store = await shop.put("/v2/store", {
      payment_methods: { cash: { label: marked("Till") } },
    });

    const order = await shop.post("/v2/orders", {
      line_items: [{ name: marked("Gift wrap"), unit_price: 2, sku: "CAFE\u0301", quantity: 1 }],
      shipping: { label: marked("Rider"), amount: 3 },
    });

    expect(store.at("/payment_methods/cash/label")).toBe("Till");
    expect([order.at("/shipping/label"), order.at("/line_items/0/name")]).toEqual([
      "Rider",
      "Gift wrap",
    ]);
    expect(order.at("/line_items/0/sku")).toBe("CAF\u00c9");
  });

  test("names of API keys", async () => {
    const made = await shop.post("/v2/keys", { name: marked("Till") });

    expect(made.at("/name")).toBe("Till");
  });
});

describe("a control character becomes a blank in", () => {
  test("tags, labels, and names of API keys and of lines", async () => {
    const customer = await shop.post("/v2/customers", {
      email: "tagged@example.com",
      tags: ["a\tb"],
    });
    const store = await shop.put("/v2/store", { payment_methods: { cash: { label: "a\nb" } } });
    const key = await shop.post("/v2/keys", { name: "a\u0007b" });
    const order = await shop.post("/v2/orders", {
      line_items: [{ name: "a\nb", unit_price: 2, quantity: 1 }],
      shipping: { label: "a\u000bb", amount: 3 },
    });

    expect([
      customer.at("/tags/0"),
      store.at("/payment_methods/cash/label"),
      key.at("/name"),
      order.at("/line_items/0/name"),
      order.at("/shipping/label"),
    ]).toEqual(Array(5).fill("a b"));
  });
});

describe("a control character is refused in", () => {
  test.each(["external_id", "metadata"])("%s, which machines compare", async (name) => {
    const value = name === "metadata" ? { note: "a\u0007b" } : "a\u0007b";
    const cart = await shop.post("/v2/carts", { line_items: [], [name]: value });

    expect([cart.status, cart.at("/errors/0/detail")]).toEqual([
      422,
      "This has the character U+0007, which cannot be kept.",
    ]);
  });
});

test("an option whose name without its marks is taken or forbidden is refused", async () => {
  const options = [{ name: "Size", values: ["S"] }];
  const names = [
    { Size: "S", [marked("Size")]: "S" },
    { [marked("__proto__")]: "S", Size: "S" },
  ];
  const before = await shop.get("/v2/products");

  const refused = await Promise.all(
    names.map((chosen) =>
      shop.post("/v2/products", {
        name: "Shirt",
        options,
        variants: [{ options: chosen, prices: [{ amount: 5 }] }],
      }),
    ),
  );

  expect(refused.map(({ status }) => status)).toEqual([422, 422]);
  expect((await shop.get("/v2/products")).body).toEqual(before.body);
});
