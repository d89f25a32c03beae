// A typo is answered with the word that was meant, and nonsense with nothing.

import { expect, test } from "bun:test";

import { fieldMeant, nearestName } from "#platform/process/nearest-name.ts";

const known = ["customer_id", "line_items", "quantity", "amount", "email", "sku", "id", "notes"];

test.each([
  ["quantiy", "quantity"],
  ["quantitty", "quantity"],
  ["qauntity", "quantity"],
  ["lineItems", "line_items"],
  ["line-items", "line_items"],
  ["line_item", "line_items"],
  ["CustomerID", "customer_id"],
  ["costumer_id", "customer_id"],
  ["emial", "email"],
  ["e-mail", "email"],
  ["ammount", "amount"],
  ["sk", "sku"],
  ["ski", "sku"],
  ["ID", "id"],
])("%s was probably meant as %s", (name, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});

test.each([["colour"], ["x"], ["ik"], ["abc"], [""], ["tracking_number"], ["quant"]])(
  "%j resembles nothing",
  (name) => {
    expect(nearestName(name, known)).toBeNull();
  },
);

test("the nearer of two names wins", () => {
  expect(nearestName("created_ta", ["updated_at", "created_at"])).toBe("created_at");
});

test("of equally near names the first wins", () => {
  expect(nearestName("totel", ["totem", "total"])).toBe("totem");
});

test("an absurdly long name is compared with nothing", () => {
  expect(nearestName("q".repeat(65), ["q".repeat(65)])).toBeNull();
});

test("without known names there is nothing to suggest", () => {
  expect(nearestName("quantity", [])).toBeNull();
});

test.each([
  ["quantity", ["on_hand", "adjust"], "on_hand"],
  ["Qty", ["variant_id", "quantity"], "quantity"],
  ["callback-url", ["return_url", "amount"], "return_url"],
  ["callbackUrl", ["url", "callback_url", "return_url"], "callback_url"],
  ["stok", ["stock", "price"], "stock"],
  ["email", ["customer_id", "customer"], "customer.email"],
  ["phone_number", ["customer", "phone"], "phone"],
  ["client", ["line_items", "customer"], "customer"],
])("the usual name %s stands for a field of %j", (name, fields, meant) => {
  expect(fieldMeant(name, fields)).toBe(meant);
});

test.each([["quantity"], ["constructor"], ["__proto__"], ["zip".repeat(30)]])(
  "%s stands for no field of a webhook",
  (name) => {
    expect(fieldMeant(name, ["url", "events"])).toBeNull();
  },
);
