// The rule about small files with one importer: what it lets pass, and what it stops.

import { expect, test } from "bun:test";

import { smallFilesOfOneImporter } from "./support/small-files.ts";

const due = (lines: number) => ({ path: "src/sales/rows/due.ts", text: "\n".repeat(lines) });
const importing = (path: string) => ({
  path,
  text: 'import { due } from "#sales/rows/due.ts";\n',
});
const order = importing("src/sales/rows/order.ts");

test("forty lines are small, and one more is not", () => {
  expect(smallFilesOfOneImporter([order, due(40)])).toEqual([
    "src/sales/rows/due.ts: move it into src/sales/rows/order.ts, its only importer",
  ]);
  expect(smallFilesOfOneImporter([order, due(41)])).toEqual([]);
});

test.each([
  ["another file of its noun", "src/sales/orders/place-order.ts"],
  ["a test", "test/sales/due.test.ts"],
])("%s that imports it, too, needs it alone", (_, path) => {
  expect(smallFilesOfOneImporter([order, importing(path), due(1)])).toEqual([]);
});

test("another noun may import a small file", () => {
  expect(smallFilesOfOneImporter([importing("src/payments/rows/payment.ts"), due(1)])).toEqual([]);
});

test("the only writer of a state is found by its name", () => {
  const files = [
    { path: "src/sales/orders/cancel-order.ts", text: 'import "./advance-order.ts";\n' },
    { path: "src/sales/orders/advance-order.ts", text: "" },
  ];

  expect(smallFilesOfOneImporter(files)).toEqual([]);
});
