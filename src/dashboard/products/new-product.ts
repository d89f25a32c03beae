// The body of a new product from its short form: a text of tags or values is a list, and options make a variant of
// each combination, which all begin with the same price and stock.

import { isObject } from "#kernel/assume.ts";
import type { JsonObject, JsonValue } from "#platform/http/json/strict-json.ts";

interface TypedOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** More combinations than a product may have are left to the interface to refuse. */
const COMBINATIONS_MAX = 101;

/** The product as the interface takes it. */
export function newProduct(body: JsonObject): JsonObject {
  const { tags, options, price, stock, sku = null, ...rest } = body;
  const made: JsonObject = { ...rest };
  // With options an SKU that was typed is for the interface to refuse; the field that was left empty is none.
  if (sku !== null) made["sku"] = sku;
  if (typeof tags === "string") made["tags"] = splitList(tags);
  const typed = optionsOf(options);
  if (typed.length === 0) {
    if (price !== undefined) made["price"] = price;
    if (stock !== undefined) made["stock"] = stock;
    return made;
  }
  made["options"] = typed.map(({ name, values }) => ({ name, values: [...values] }));
  made["variants"] = combinationsOf(typed).map((chosen) => ({
    options: chosen,
    ...(price === undefined ? {} : { prices: [{ amount: price }] }),
    ...(stock === undefined ? {} : { stock }),
  }));
  return made;
}

/** The field that a fault of a made variant is about: they all began with the same ones. */
export function fieldOfNewProduct(pointer: string): string {
  if (/^\/variants\/\d+\/prices/.test(pointer)) return "/price";
  if (/^\/variants\/\d+\/stock/.test(pointer)) return "/stock";
  return pointer.startsWith("/variants") ? "/options/0/values" : pointer;
}

/** Splits a text at its commas, also those of Arabic, Chinese and Japanese; each part comes once. */
function splitList(text: string): string[] {
  const parts = text.split(/[,،，、]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

function optionsOf(options: JsonValue | undefined): TypedOption[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option) => {
    if (!isObject(option)) return [];
    const { name, values } = option;
    return [
      {
        name: typeof name === "string" ? name : "",
        values: typeof values === "string" ? splitList(values) : [],
      },
    ];
  });
}

function combinationsOf(options: readonly TypedOption[]): JsonObject[] {
  let made: JsonObject[] = [{}];
  for (const { name, values } of options) {
    const next = made.flatMap((chosen) =>
      values.map((value): JsonObject => ({ ...chosen, [name]: value })),
    );
    made = next.slice(0, COMBINATIONS_MAX);
  }
  return made;
}
