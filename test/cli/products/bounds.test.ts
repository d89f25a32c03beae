// Files that would hold up the shop: they are refused before they are read.

import { expect, test } from "bun:test";

import { readCustomers } from "#imports/customer-files/read-customers.ts";
import { FILE_BOUNDS } from "#imports/kept/kept-file.ts";
import { readProducts } from "#imports/product-files/read-products.ts";

const terms = {
  currency: "KES",
  comma: null,
  hints: { decimal: "say so", thousands: "say so" },
  now: 0,
};

function read(lines: readonly string[], bounds = FILE_BOUNDS) {
  return readProducts({ content: new Blob([lines.join("\n")]), bounds, encodingHint: "" }, terms);
}

test("a file with too many columns, too many cells or an endless row is refused", async () => {
  const small = { rows: 9, columns: 4, cells: 12 };
  const endless = ["slug,name", `a,${"a".repeat(1_100_000)}`];

  expect(read(["slug,name,,,", "a,A"], small)).rejects.toThrow("4 columns");
  expect(read(["slug,name,,", "a,A,,", "b,B,,", "c,C"], small)).rejects.toThrow("12 cells");
  expect(read(endless)).rejects.toThrow("a row has more than a million characters");
});

test("thousands of rows of one product or one customer are one fault, and are not read", async () => {
  const rows = (line: string) => Array.from({ length: 9_000 }, () => line);
  const woo = [
    "ID,Type,SKU,Name,Regular price,Parent",
    "1,variable,p,Mug,,",
    ...rows("2,variation,,Mug,1,p"),
  ];
  const customers = new Blob([["email,name", ...rows("efua@example.com,Efua")].join("\n")]);
  const found = [
    await read(["slug,name", ...rows("mug,Mug")]),
    await read(["Handle,Title", ...rows("mug,Mug")]),
    await read(woo),
    await readCustomers(
      { content: customers, bounds: FILE_BOUNDS, encodingHint: "" },
      { country: null },
    ),
  ];

  for (const { drafts, faults } of found) {
    expect(drafts.filter(({ isLeftOut }) => !isLeftOut)).toEqual([]);
    expect(faults).toMatchObject([{ code: "too_many", row: 2 }]);
  }
});

test("metadata that the interface would not read is a fault of its cell", async () => {
  const nested = `{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
  const { faults } = await read([
    "slug;name;metadata",
    `mug;Mug;"${nested.replaceAll('"', '""')}"`,
  ]);

  expect(faults).toMatchObject([{ code: "wrong_type", row: 2, column: "metadata" }]);
});
