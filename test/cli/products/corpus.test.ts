// Each shop's rows mean the same products and customers, whichever program wrote or saved the file.

import { describe, expect, test } from "bun:test";

import { readCustomers } from "#imports/customer-files/read-customers.ts";
import { readProducts } from "#imports/product-files/read-products.ts";

import { sharedShop } from "../../support/shop.ts";
import { writers } from "./corpus-writers.ts";
import { corpus, type CorpusFile } from "./corpus.ts";
import { importText, product } from "./import-shop.ts";

const shop = sharedShop();
const [plain] = writers;

/** Reads the file as the importer of its noun does. Duka's own is not mended: its commas must be named. */
function read(file: CorpusFile, content: Uint8Array<ArrayBuffer>) {
  const given = { content: new Blob([content]), encodingHint: "name its encoding" };
  if (file.noun === "customers") return readCustomers(given, { country: "GH" });
  return readProducts(given, {
    currency: "EUR",
    comma: file.name === "Duka" && Buffer.from(content).includes("WAHR") ? "decimal" : null,
    hints: { decimal: "", thousands: "" },
    now: 0,
  });
}

/** The body as it is sent, with its amounts as numbers. The interface trims what Duka's own file says. */
function sent(body: object): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => {
      if (typeof value !== "string") return value;
      return ["amount", "compare_at"].includes(name) ? Number(value) : value.trim();
    }),
  );
}

describe.each(corpus.map((file) => [file.name, file] as const))("a file of %s", (_, file) => {
  test.each([...writers])("is read %s", async (_writer, write) => {
    const found = await read(file, write(file));

    expect(found.faults).toEqual([]);
    expect(found.drafts.map(({ body }) => sent(body))).toMatchObject(file.bodies.map(sent));
    const whole = await read(file, plain?.[1](file) ?? new Uint8Array());
    expect(found.drafts.map(({ body }) => sent(body))).toEqual(
      whole.drafts.map(({ body }) => sent(body)),
    );
  });
});

test.each(corpus.filter(({ noun }) => noun === "products"))(
  "every product of a file of $name is taken, and is unchanged the next time",
  async (file) => {
    const content = plain?.[1](file) ?? new Uint8Array();
    await importText(shop, content, { currency: "EUR" });

    const again = await importText(shop, content, { currency: "EUR" });

    expect(again.faults).toEqual([]);
    const unchanged = file.bodies.length;
    expect(again.products).toMatchObject({ create: 0, update: 0, unchanged, refuse: 0 });
    expect(await product(shop, "theiere-soleil")).toMatchObject({
      name: "Théière “Soleil”",
      variants: [{ sku: "00170", weight_grams: expect.any(Number) }, { sku: "00171" }],
    });
  },
);
