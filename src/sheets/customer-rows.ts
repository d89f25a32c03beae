// A customer as rows of Duka's own file: one for each address, with the customer's own columns on the first.

import { changedDetails, type Customer, emptyDetails } from "#customers/customer.ts";
import { searchCustomers } from "#customers/lookups.ts";
import type { Address } from "#kernel/address.ts";
import type { Reader } from "#platform/database/database.ts";

import { type CellsByColumn, joinList, type SheetPage } from "./sheet.ts";

/** The columns that tell a customer from the others: on each of its rows. */
const contactColumns = ["email", "phone"] as const;

/** The columns that a customer has for itself: on one of its rows. */
export const detailColumns = [
  "name",
  "first_name",
  "last_name",
  "marketing_consent",
  "tags",
  "tax_id",
  "tax_exemption",
  "metadata",
] as const;

/** The column of each part of an address. */
export const addressColumns = {
  name: "address_name",
  line1: "address_line1",
  line2: "address_line2",
  city: "address_city",
  region: "address_region",
  postalCode: "address_postal_code",
  country: "address_country",
  phone: "address_phone",
} as const satisfies Record<keyof Address, string>;

/** The columns of the file, in their order. */
export const customerColumns = [
  ...contactColumns,
  ...detailColumns,
  ...Object.values(addressColumns),
] as const;

/** The rows of a customer; none of one who was erased. */
function rowsOfCustomer(customer: Customer): CellsByColumn[] {
  const { email, phone, addresses, erasedAt } = customer;
  if (erasedAt !== null) return [];
  const contact = { email: email ?? "", phone: phone ?? "" };
  const [first, ...further] = addresses;
  return [
    { ...contact, ...detailsOf(customer), ...addressCells(first) },
    ...further.map((address) => ({ ...contact, ...addressCells(address) })),
  ];
}

function detailsOf(customer: Customer): CellsByColumn {
  const { name, firstName, lastName, tags, metadata } = customer;
  // A name that follows from the two others goes on following them.
  const derived = changedDetails(emptyDetails, { firstName, lastName }).name;
  return {
    name: name === derived ? "" : (name ?? ""),
    first_name: firstName ?? "",
    last_name: lastName ?? "",
    marketing_consent: String(customer.marketingConsent),
    tags: joinList(tags),
    tax_id: customer.taxId ?? "",
    tax_exemption: customer.taxExemption,
    metadata: Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata),
  };
}

function addressCells(address: Address | undefined): CellsByColumn {
  if (address === undefined) return {};
  return Object.fromEntries([
    [addressColumns.name, address.name ?? ""],
    [addressColumns.line1, address.line1 ?? ""],
    [addressColumns.line2, address.line2 ?? ""],
    [addressColumns.city, address.city ?? ""],
    [addressColumns.region, address.region ?? ""],
    [addressColumns.postalCode, address.postalCode ?? ""],
    [addressColumns.country, address.country ?? ""],
    [addressColumns.phone, address.phone ?? ""],
  ]);
}

// The customers of a shop as a file that `duka import customers` takes.

const PAGE_CUSTOMERS = 100;

/** Reads the customers after this id, newest first. */
export async function readCustomerPage(db: Reader, after: string | null): Promise<SheetPage> {
  const { rows, hasMore } = await searchCustomers(db, {}, { limit: PAGE_CUSTOMERS, after });
  return {
    rows: rows.flatMap(rowsOfCustomer),
    after: hasMore ? (rows.at(-1)?.id ?? null) : null,
  };
}
