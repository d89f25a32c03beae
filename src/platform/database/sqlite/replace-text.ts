// Replaces a text wherever it stands in the rows of a SQLite file that no one has open, as when the address of a
// copied shop is another one.

import { Database as SqliteFile } from "bun:sqlite";

interface TextColumn {
  readonly tableName: string;
  readonly columnName: string;
}

/** Indexes of the full-text search keep words and no addresses; they and their parts are left as they are. */
const TEXT_COLUMNS = `SELECT tables.name AS tableName, columns.name AS columnName
  FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
  WHERE tables.schema = 'main' AND tables.type = 'table' AND columns.type = 'TEXT'
    AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** Afterwards no text of the file has `from`: `to` stands in its place. */
export function replaceText(path: string, from: string, to: string): void {
  const file = new SqliteFile(path, { readwrite: true, strict: true });
  try {
    const columns = file.query<TextColumn, []>(TEXT_COLUMNS).all();
    file.run("BEGIN IMMEDIATE");
    for (const [table, found] of Map.groupBy(columns, ({ tableName }) => tableName)) {
      const names = found.map(({ columnName }) => `"${columnName}"`);
      const changes = names.map((name) => `${name} = replace(${name}, ?1, ?2)`).join(", ");
      const isThere = names.map((name) => `instr(${name}, ?1) > 0`).join(" OR ");
      file.query(`UPDATE "${table}" SET ${changes} WHERE ${isThere}`).run(from, to);
    }
    file.run("COMMIT");
  } finally {
    file.close(true);
  }
}
