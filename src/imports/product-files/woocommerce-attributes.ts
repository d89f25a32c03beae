// The attributes of WooCommerce's products: those that variations choose are options here.

import type { Columns, Row } from "#imports/tables/columns.ts";
import { repairs } from "#imports/tables/repair.ts";
import { splitList } from "#sheets/sheet.ts";

export interface Attribute {
  readonly name: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** The attributes of a row, with their values. */
export function attributesOf(row: Row, { names }: Columns): Attribute[] {
  return names
    .filter((column) => column.startsWith("attribute ") && column.endsWith(" name"))
    .map((column) => {
      const values = column.replace(/name$/, "value(s)");
      return {
        name: cutOption(row.get(column)),
        column: values,
        values: valuesOf(row.get(values)).map(cutOption),
      };
    })
    .filter(({ name }) => name !== "");
}

/** The attributes that a variation has a value of. */
export function chosenOf(row: Row, columns: Columns): Attribute[] {
  return attributesOf(row, columns).filter(({ values }) => values.length > 0);
}

/** The choice of a variation, which no other one of its product has; empty without one. */
export function choiceOf(row: Row, columns: Columns): string {
  const chosen = chosenOf(row, columns).toSorted(byName);
  return chosen.map(({ name, values }) => JSON.stringify([name, values[0]])).join();
}

function byName(one: Attribute, other: Attribute): number {
  return one.name < other.name ? -1 : 1;
}

function cutOption(text: string): string {
  return repairs.option(text)?.text ?? text;
}

/** The values of a cell, each once. */
export function valuesOf(text: string | undefined): string[] {
  return [...new Set(splitList(text ?? "", ",").filter((value) => value !== ""))];
}
