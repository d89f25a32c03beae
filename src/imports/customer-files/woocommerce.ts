// A file of customers that WooCommerce exports from its analytics: neither phones nor streets, and no consent.

import type { Columns, Layout } from "#imports/tables/columns.ts";

import { CustomerDraft } from "./customer-draft.ts";

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
    const draft = new CustomerDraft(row);
    draft.body.email = draft.own("email");
    draft.body.name = draft.own("name");
    draft.addAddress(row);
    draft.leaveOutIfUnreachable();
    return draft;
  });
}
