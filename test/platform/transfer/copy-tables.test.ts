// Which tables a copy takes along, and in which order.

import { describe, expect, test } from "bun:test";

import { type SqliteTable, tablesToCopy } from "#platform/transfer/tables-to-copy.ts";

/** A table with a text as its key. */
function named(name: string, parents: readonly string[] = []): SqliteTable {
  return { name, parents, columns: [{ name: "id", type: "TEXT", key: 1 }] };
}

/** The same tables on the other side. */
function onPostgres(...tables: readonly SqliteTable[]): Map<string, Map<string, string>> {
  return new Map(tables.map(({ name }) => [name, new Map([["id", "text"]])]));
}

describe("the tables of a copy", () => {
  test("come after those that they refer to", () => {
    const tables = [named("lines", ["orders"]), named("orders", ["people"]), named("people")];

    const found = tablesToCopy(tables, onPostgres(...tables));

    expect(found.map(({ name }) => name)).toEqual(["people", "orders", "lines"]);
  });

  test("may refer to themselves", () => {
    const tables = [named("folders", ["folders"])];

    const found = tablesToCopy(tables, onPostgres(...tables));

    expect(found.map(({ name }) => name)).toEqual(["folders"]);
  });

  test("are walked in the order of the key, not of the columns", () => {
    const table: SqliteTable = {
      name: "lines",
      parents: [],
      columns: [
        { name: "position", type: "INTEGER", key: 2 },
        { name: "is_gift", type: "INTEGER", key: 0 },
        { name: "order_id", type: "TEXT", key: 1 },
      ],
    };
    const columns = { order_id: "text", is_gift: "boolean", position: "bigint" };

    const found = tablesToCopy([table], new Map([["lines", new Map(Object.entries(columns))]]));

    expect(found).toEqual([
      {
        name: "lines",
        key: [2, 0],
        condition: "TRUE",
        columns: [
          { name: "position", kind: "bigint" },
          { name: "is_gift", kind: "boolean" },
          { name: "order_id", kind: "text" },
        ],
      },
    ]);
  });

  test("leave out what each side has of its own", () => {
    const tables = ["migrations", "leases", "rate_uses", "search_entries"].map((name) =>
      named(name),
    );

    const found = tablesToCopy(tables, onPostgres(named("migrations"), named("search_documents")));

    expect(found).toEqual([]);
  });
});

describe("a copy is refused", () => {
  test("where a table is on one side only", () => {
    const [orders, notes] = [named("orders"), named("notes")];

    expect(() => tablesToCopy([orders], onPostgres(orders, notes))).toThrow(
      "Only PostgreSQL has the table notes.",
    );
    expect(() => tablesToCopy([orders, notes], onPostgres(orders))).toThrow(
      "notes.id is TEXT in SQLite and missing in PostgreSQL.",
    );
  });

  test("where a column is on one side only", () => {
    const columns = new Map([
      ["id", "text"],
      ["note", "text"],
    ]);

    expect(() => tablesToCopy([named("orders")], new Map([["orders", columns]]))).toThrow(
      "Only PostgreSQL has orders.note.",
    );
  });

  test("where a column is of a kind that the other side does not have", () => {
    const columns = new Map([["id", "double precision"]]);

    expect(() => tablesToCopy([named("orders")], new Map([["orders", columns]]))).toThrow(
      "orders.id is TEXT in SQLite and double precision in PostgreSQL.",
    );
  });

  test("where rows have no order", () => {
    const table = { ...named("orders"), columns: [{ name: "id", type: "TEXT", key: 0 }] };

    expect(() => tablesToCopy([table], onPostgres(table))).toThrow("has no primary key");
  });
});
