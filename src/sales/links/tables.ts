// The terms with which the links of a shop are made. The table keeps the name of its first use.

import { sql } from "drizzle-orm";

import { check, int, text } from "#platform/database/kit.ts";
import { plain, record } from "#platform/database/record.ts";

/** One row: the sealed secret that signs links, and the address that they start with. */
export const linkTerms = record(
  "cart_recovery",
  {
    id: int().primaryKey(),
    secret: plain(text().notNull()),
    publicUrl: plain(text().notNull()),
  },
  (row) => [check("cart_recovery_is_one_row", sql`${row.id} = 1`)],
);
