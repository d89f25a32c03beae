// What the store, products and customers say of taxes.

import { describe, expect, test } from "bun:test";

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { isId } from "#kernel/id.ts";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

describe("the store", () => {
  test("adds tax to its prices until the merchant says otherwise", async () => {
    await using shop = await openTestShop();
    const settings = {
      prices_include_tax: true,
      shipping_tax: "as_goods",
      legal_name: "Ada Trading Ltd",
      tax_id: "C0012345678",
    };

    const before = await shop.get("/v2/store");
    const after = await shop.put("/v2/store", settings);

    expect(before.body).toMatchObject({
      prices_include_tax: false,
      shipping_tax: "standard",
      legal_name: null,
      tax_id: null,
    });
    expect(after.body).toMatchObject(settings);
  });

  test("refuses what is no setting of taxes", async () => {
    const refused = await shop.put("/v2/store", {
      prices_include_tax: "yes",
      shipping_tax: "reduced",
      tax_id: " ",
    });

    expect(refused.faults).toEqual([
      "#/prices_include_tax wrong_type",
      "#/shipping_tax invalid_choice",
      "#/tax_id too_short",
    ]);
  });
});

describe("a product", () => {
  test("is taxed at the standard rates unless it says otherwise", async () => {
    const plain = await shop.post("/v2/products", { name: "Mug" });
    const bread = await shop.post("/v2/products", { name: "Bread", tax_class: "zero" });
    const changed = await shop.put(`/v2/products/${plain.id}`, { tax_class: "exempt" });

    expect([plain, bread, changed].map((one) => one.at("/tax_class"))).toEqual([
      "standard",
      "zero",
      "exempt",
    ]);
  });

  test("has a class that a rate has, or one that is to come", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { country: "DE" });
    const rate = { country: "DE", name: "USt", rate: 7, valid_from: "2026-07-01" };
    await shop.post("/v2/tax-rates", { ...rate, tax_class: "reduced" });

    const book = await shop.post("/v2/products", { name: "Book", tax_class: "reduced" });

    expect(book.at("/tax_class")).toBe("reduced");
  });

  test("cannot have a class without rates, which is told with its other faults", async () => {
    const { id } = await shop.post("/v2/products", { name: "Mug" });

    const made = await shop.post("/v2/products", {
      name: "Book",
      tax_class: "reducd",
      price: "1.234",
    });
    const changed = await shop.put(`/v2/products/${id}`, { tax_class: "reducd" });

    expect(made.faults).toEqual(["#/price amount_precision", "#/tax_class unknown_tax_class"]);
    expect(changed.faults).toEqual(["#/tax_class unknown_tax_class"]);
  });

  test("keeps its class when the last rate of the class has ended", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { country: "DE" });
    const reduced = { country: "DE", name: "USt", rate: 7, tax_class: "reduced" };
    const rate = await shop.post("/v2/tax-rates", reduced);
    const { id } = await shop.post("/v2/products", { name: "Book", tax_class: "reduced" });
    await shop.put(`/v2/tax-rates/${rate.id}`, { valid_until: "2026-01-06" });
    shop.clock.advance(48 * 3_600_000);

    const kept = await shop.put(`/v2/products/${id}`, { tax_class: "reduced", name: "Books" });
    const other = await shop.post("/v2/products", { name: "Map", tax_class: "reduced" });

    expect(kept.body).toMatchObject({ name: "Books", tax_class: "reduced" });
    expect(other.faults).toEqual(["#/tax_class unknown_tax_class"]);
  });

  test("gives its class and weight to what is sold of it", async () => {
    const { variantId, productId } = await mug(shop, { tax_class: "zero" });
    await shop.put(`/v2/products/${productId}/variants/${variantId}`, { weight_grams: 310 });

    if (!isId("variant", variantId)) throw new Error("No id of a variant");
    const found = await findSellableVariants(shop.test.database.read, [variantId]);

    expect(found.get(variantId)).toMatchObject({ taxClass: "zero", weightGrams: 310 });
  });
});

describe("a customer", () => {
  const business = {
    email: "ada@example.com",
    tax_id: "DE123456789",
    tax_exemption: "reverse_charge",
  };

  test("is taxed until the merchant says otherwise", async () => {
    const plain = await shop.post("/v2/customers", { email: "bo@example.com" });

    const made = await shop.post("/v2/customers", business);

    expect(plain.body).toMatchObject({ tax_id: null, tax_exemption: "none" });
    expect(made.body).toMatchObject(business);
    const [, created] = await shop.announced();
    expect(created).toMatchObject({ event: "customer.created", data: business });
  });

  test("cannot be exempted by a stranger, who is told nothing of it", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["storefront"] });

    const refused = await shop.post("/v2/customers", business, { key });
    const made = await shop.post("/v2/customers", { email: business.email }, { key });

    expect(refused.faults).toEqual([
      "#/tax_id not_allowed_for_public_key",
      "#/tax_exemption not_allowed_for_public_key",
    ]);
    expect(made.body).toMatchObject({ tax_id: null, tax_exemption: "none" });
  });

  test("is exported with the tax id, and erased with it", async () => {
    await using shop = await openTestShop();
    const { id } = await shop.post("/v2/customers", business);
    const exported = await shop.get(`/v2/customers/${id}/export`);

    await shop.post(`/v2/customers/${id}/erase`);

    expect(exported.text).toContain(business.tax_id);
    const kept = await shop.get(`/v2/customers/${id}`);
    expect(kept.body).toMatchObject({ tax_id: null, tax_exemption: "none" });
    expect(JSON.stringify(await shop.events())).not.toContain(business.tax_id);
  });
});
