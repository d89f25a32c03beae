// The index of lines: the products and SKUs that orders are found by. A term is one of either. The entries are written
// from the log of events, after the order, and stay when a line leaves it: a list looks at the lines again.

import { primaryKey, text } from "#platform/database/kit.ts";
import { id, plain, record } from "#platform/database/record.ts";

/** The product and the SKU of every line that an order has or had. */
export const orderLineTerms = record(
  "order_line_terms",
  { term: plain(text().notNull()), orderId: id("order").notNull() },
  (row) => [primaryKey({ columns: [row.term, row.orderId] })],
);
