// The layouts of files of customers: that of Shopify, with the names of its columns of now and of before, that of
// WooCommerce's analytics, and Duka's own.

import type { Columns, Layout, Row } from "#imports/tables/columns.ts";
import { customerColumns, detailColumns } from "#sheets/customer-rows.ts";
import { splitList } from "#sheets/sheet.ts";

import { CustomerDraft } from "./customer-draft.ts";

export const shopifyLayout: Layout = {
  columns: {
    first_name: ["First Name"],
    last_name: ["Last Name"],
    email: ["Email"],
    phone: ["Phone"],
    marketing_consent: ["Accepts Email Marketing", "Accepts Marketing"],
    company: ["Default Address Company", "Company"],
    address_line1: ["Default Address Address1", "Address1"],
    address_line2: ["Default Address Address2", "Address2"],
    address_city: ["Default Address City", "City"],
    address_region: ["Default Address Province Code", "Province Code"],
    address_country: ["Default Address Country Code", "Country Code"],
    address_postal_code: ["Default Address Zip", "Zip"],
    address_phone: ["Default Address Phone"],
    tags: ["Tags"],
    note: ["Note"],
    tax_exempt: ["Tax Exempt"],
  },
  dropped:
    /^(?:customer id|province|country|accepts sms marketing|total (?:spent|orders))$|metafield/i,
};

/** The customers of the rows, each of which is one. */
export function readShopify({ rows }: Columns): CustomerDraft[] {
  return rows.map(readCustomer);
}

function readCustomer(row: Row): CustomerDraft {
  const draft = new CustomerDraft(row, { isForeign: true, rows: [row] });
  const { body } = draft;
  body.email = draft.own("email");
  body.phone = draft.phone(row);
  body.first_name = draft.mended({ row, column: "first_name", pointer: "/first_name" }, "person");
  body.last_name = draft.mended({ row, column: "last_name", pointer: "/last_name" }, "person");
  draft.addAddress(row);
  const consent = { row, column: "marketing_consent", pointer: "/marketing_consent" };
  body.marketing_consent = draft.flag(consent);
  body.tags = draft.tags({ row, column: "tags", pointer: "/tags" });
  const isExempt = draft.flag({ row, column: "tax_exempt", pointer: "/tax_exemption" });
  body.tax_exemption = isExempt === true ? "exempt" : undefined;
  body.metadata = factsOf(draft, row);
  return draft;
}

/** The facts for which this shop has no field. */
function factsOf(draft: CustomerDraft, row: Row): object | undefined {
  const facts = ["company", "note"].flatMap((column) => {
    const text = draft.mended({ row, column, pointer: `/metadata/${column}` }, "fact");
    return text === undefined ? [] : [[column, text]];
  });
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}

// A file of customers that WooCommerce exports from its analytics: neither phones nor streets, and no consent.

export const wooLayout: Layout = {
  columns: {
    name: ["Name"],
    username: ["Username"],
    email: ["Email"],
    address_country: ["Country / Region", "Country/Region", "Country"],
    address_city: ["City"],
    address_region: ["Region"],
    address_postal_code: ["Postal Code", "Postcode"],
  },
  dropped: /^(?:last active|sign[ -]?up|date registered|orders|total spend|aov)$/i,
};

/** The customers of the rows, each of which is one. */
export function readWoo({ rows }: Columns): CustomerDraft[] {
  return rows.map((row) => {
    const draft = new CustomerDraft(row, { isForeign: true, rows: [row] });
    draft.body.email = draft.own("email");
    draft.body.name = draft.mended({ row, column: "name", pointer: "/name" }, "name");
    draft.addAddress(row);
    return draft;
  });
}

// Duka's own file of customers, as `duka export customers` writes it and people edit it.

export const dukaLayout: Layout = {
  columns: Object.fromEntries(customerColumns.map((name) => [name, [name]])),
  // Every column of this file is taken over.
  dropped: /^(?!)/,
};

/** The customers of the rows: rows with the same email, or without one the same phone, are its addresses. */
export function readDuka({ rows }: Columns): CustomerDraft[] {
  const byContact = Map.groupBy(rows, (row) => row.get("email").toLowerCase() || row.get("phone"));
  return [...byContact].flatMap(([contact, same]) =>
    contact === "" ? same.map((row) => readDukaCustomer(row, [row])) : readGroup(same),
  );
}

function readGroup(rows: readonly Row[]): CustomerDraft[] {
  const [first] = rows;
  return first === undefined ? [] : [readDukaCustomer(first, rows)];
}

function readDukaCustomer(first: Row, rows: readonly Row[]): CustomerDraft {
  const draft = new CustomerDraft(first, { isForeign: false, rows });
  if (draft.leaveOutIfTooLong(rows)) return draft;
  draft.requireAgreement({ noun: "customer", own: "an email" }, rows, ["phone", ...detailColumns]);
  // The details of a customer may stand on any of its rows.
  const from = (column: string) => ({
    row: rows.find((row) => row.get(column) !== "") ?? first,
    column,
    pointer: `/${column}`,
  });
  Object.assign(draft.body, {
    email: draft.sent(from("email")),
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
