// Texts in the search index as the program before the migration 0072 wrote them.

import { engine } from "#platform/database/engine.ts";

import { tamper } from "./behind-the-shop.ts";

/** Indexes the texts, by their subjects, in place of what is indexed of these. */
export async function indexAsBefore(
  folder: string,
  kind: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  const statements = Object.entries(texts).flatMap(([subject, text]) =>
    engine === "postgres" ? inPostgres(kind, subject, text) : inSqlite(kind, subject, text),
  );
  await tamper(folder, ...statements);
}

function inSqlite(kind: string, subject: string, text: string): string[] {
  const document = `(SELECT document FROM search_entries WHERE kind = '${kind}' AND subject = '${subject}')`;
  return [
    `INSERT OR IGNORE INTO search_entries (kind, subject) VALUES ('${kind}', '${subject}')`,
    `DELETE FROM search_documents WHERE rowid = ${document}`,
    `INSERT INTO search_documents (rowid, kind, body) VALUES (${document}, '${kind}', '${text}')`,
  ];
}

/** Without accents of Latin letters, and in small letters. */
function inPostgres(kind: string, subject: string, text: string): string[] {
  const words = text
    .normalize("NFD")
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  const lexemes = (words ?? []).map((word) => `''${kind}:${word}''`).join(" ");
  return [
    `INSERT INTO search_documents (kind, subject, words) VALUES ('${kind}', '${subject}', '${lexemes}'::tsvector)
     ON CONFLICT (kind, subject) DO UPDATE SET words = excluded.words`,
  ];
}
