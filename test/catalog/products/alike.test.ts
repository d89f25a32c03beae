// Names and SKUs that look alike are alike: what no screen shows is not kept.

import { describe, expect, test } from "bun:test";

import { openTestShop } from "../../support/shop.ts";

const RIGHT_TO_LEFT = "\u202e";

describe("a SKU", () => {
  test("is kept composed, so that two that look alike are one", async () => {
    await using shop = await openTestShop();
    const mug = { name: "Mug", price: 5 };

    const made = await shop.post("/v2/products", { ...mug, sku: "CAFE\u0301-1" });
    const again = await shop.post("/v2/products", { ...mug, sku: "CAF\u00c9-1" });

    expect(made.at("/variants/0/sku")).toBe("CAF\u00c9-1");
    expect([again.status, again.code]).toEqual([409, "sku_taken"]);
  });

  test.each(["A\u200b1", "A\u00ad1", "\ufeffA1", "A\u20601", "A\u202e1", "A\u00001", "A\u3164"])(
    "%j has a character that no label shows",
    async (sku) => {
      await using shop = await openTestShop();

      const refused = await shop.post("/v2/products", { name: "Mug", price: 5, sku });

      expect(refused.status).toBeOneOf([400, 422]);
      expect((await shop.get("/v2/products")).list("/data")).toEqual([]);
    },
  );
});

describe("a name", () => {
  test("loses the marks of its direction, and keeps its letters", async () => {
    await using shop = await openTestShop();

    const made = await shop.post("/v2/customers", {
      name: `\u2067\u0641\u0627\u0637\u0645\u0629\u2069${RIGHT_TO_LEFT}`,
      email: "f@example.com",
    });

    expect(made.at("/name")).toBe("\u0641\u0627\u0637\u0645\u0629");
  });

  test.each(["Ada\nLovelace", "Ada\tLovelace", "\u0085Ada"])(
    "%j with a control character is refused",
    async (name) => {
      await using shop = await openTestShop();

      const refused = await shop.post("/v2/customers", { name, email: "a@example.com" });

      expect([refused.status, refused.faults]).toEqual([422, ["#/name invalid_format"]]);
    },
  );

  test("of nothing but marks is empty", async () => {
    await using shop = await openTestShop();

    const refused = await shop.post("/v2/products", { name: RIGHT_TO_LEFT, price: 5 });

    expect([refused.status, refused.faults]).toEqual([422, ["#/name too_short"]]);
  });
});
