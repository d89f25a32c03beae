// Tables fit a terminal.

import { expect, test } from "bun:test";

import { renderTable } from "#cli/operator/table.ts";

test("columns are as wide as their widest cell", () => {
  expect(renderTable(["ID", "NAME"], [["key_1", "Till"]])).toBe("ID     NAME\nkey_1  Till");
});

test("the widest column continues on the next line where a table is too wide", () => {
  const rows = [["key_1", "orders:read, orders:write, carts:read"]];

  expect(renderTable(["ID", "SCOPES"], rows, 30).split("\n")).toEqual([
    "ID     SCOPES",
    "key_1  orders:read,",
    "       orders:write,",
    "       carts:read",
  ]);
});

test("no word is cut, since it may have to be copied", () => {
  const path = "/mnt/backups/duka-2026-11-21T033000.000Z";

  expect(renderTable(["STATE", "PATH"], [["complete", path]], 20)).toContain(path);
});

test("control characters are replaced", () => {
  expect(renderTable(["NAME"], [["\u001B[2J"]])).toBe("NAME\n�[2J");
});
