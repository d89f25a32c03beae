// Imports files into a test shop, as the command does that reaches its server.

import { exportSheet } from "#cli/exports/export-sheet.ts";
import {
  importProducts,
  type ProductReport,
  type ProductTerms,
} from "#cli/imports/import-products.ts";
import type { FileReport } from "#cli/imports/import-report.ts";

import { openScratchFolder } from "../../support/scratch.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { wayTo } from "../way-to-shop.ts";

type Given = Partial<
  Pick<
    ProductTerms,
    "currency" | "existing" | "decimalComma" | "thousandsComma" | "partial" | "encoding"
  >
> & {
  /** Whether the products are only tried. */
  readonly isTrial?: true;
};

/** Imports the file at this path. */
export function importFile(
  shop: TestShop,
  path: string,
  given: Given = {},
): Promise<ProductReport> {
  const { isTrial, ...options } = given;
  const terms = { mode: "test", existing: "update", ...options } as const;
  return importProducts(wayTo(shop), path, isTrial ? terms : { ...terms, apply: true });
}

/** Imports a file with these lines, or bytes. */
export async function importText(
  shop: TestShop,
  content: readonly string[] | Uint8Array<ArrayBuffer>,
  given: Given = {},
): Promise<ProductReport> {
  using folder = openScratchFolder();
  const path = folder.file("products.csv");
  await Bun.write(path, content instanceof Uint8Array ? content : content.join("\n"));
  return await importFile(shop, path, given);
}

/** The path of a file beside this one. */
export function fileNamed(name: string): string {
  return `${import.meta.dir}/files/${name}.csv`;
}

/** Each fault as `row column code`. */
export function faultsOf({ faults }: FileReport): string[] {
  return faults.map(({ row, column, code }) => `${row} ${column} ${code}`);
}

/** The details of the warnings, with the rows that they are about. */
export function warningsOf({ warnings }: FileReport): string[] {
  return warnings.map(({ row, detail }) => (row === null ? detail : `${row}: ${detail}`));
}

/** The product with this slug, as the only one of a list. */
export async function product(shop: TestShop, slug: string): Promise<unknown> {
  const found: Answered = await shop.get(`/v2/products?slug=${slug}`);
  return found.at("/data/0");
}

/** The stock of the product's variants, in their order. */
export async function stockOf(shop: TestShop, slug: string): Promise<unknown[]> {
  const found = await shop.get(`/v2/products?slug=${slug}`);
  const levels = found.list("/data/0/variants").map(async (_, index) => {
    const id = found.string(`/data/0/variants/${index}/id`);
    return (await shop.get(`/v2/inventory/${id}`)).body;
  });
  return await Promise.all(levels);
}

/** The lines of the file of all products. */
export async function exported(shop: TestShop): Promise<string> {
  const lines = await Array.fromAsync(exportSheet(wayTo(shop), "products", { mode: "test" }));
  return lines.join("");
}
