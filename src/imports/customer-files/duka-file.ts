// Duka's own file of customers, as `duka export customers` writes it and people edit it.

import type { Columns, Layout, Row } from "#imports/tables/columns.ts";
import { customerColumns, detailColumns } from "#sheets/customer-rows.ts";
import { splitList } from "#sheets/sheet.ts";

import { CustomerDraft } from "./customer-draft.ts";

export const dukaLayout: Layout = {
  columns: Object.fromEntries(customerColumns.map((name) => [name, [name]])),
  // Every column of this file is taken over.
  dropped: /^(?!)/,
};

/** The customers of the rows: rows with the same email, or without one the same phone, are its addresses. */
export function readDuka({ rows }: Columns): CustomerDraft[] {
  const byContact = Map.groupBy(rows, (row) => row.get("email").toLowerCase() || row.get("phone"));
  return [...byContact].flatMap(([contact, same]) =>
    contact === "" ? same.map((row) => readCustomer(row, [row])) : readGroup(same),
  );
}

function readGroup(rows: readonly Row[]): CustomerDraft[] {
  const [first] = rows;
  return first === undefined ? [] : [readCustomer(first, rows)];
}

function readCustomer(first: Row, rows: readonly Row[]): CustomerDraft {
  const draft = new CustomerDraft(first);
  if (draft.leaveOutIfTooLong(rows)) return draft;
  draft.requireAgreement({ noun: "customer", own: "an email" }, rows, ["phone", ...detailColumns]);
  // The details of a customer may stand on any of its rows.
  const from = (column: string) => ({
    row: rows.find((row) => row.get(column) !== "") ?? first,
    column,
    pointer: `/${column}`,
  });
  Object.assign(draft.body, {
    email: draft.text(from("email")),
    phone: draft.phone(from("phone").row),
    name: draft.text(from("name")),
    first_name: draft.text(from("first_name")),
    last_name: draft.text(from("last_name")),
    marketing_consent: draft.flag(from("marketing_consent")),
    tags: listOf(draft.text(from("tags"))),
    tax_id: draft.code(from("tax_id")),
    tax_exemption: draft.text(from("tax_exemption"))?.toLowerCase(),
    metadata: draft.json(from("metadata")),
  });
  for (const row of rows) draft.addAddress(row);
  return draft;
}

function listOf(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : splitList(text, "|").filter((value) => value !== "");
}
