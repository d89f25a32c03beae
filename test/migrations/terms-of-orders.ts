// Orders of a shop before their lines had terms, and what finds them afterwards.

import { oldRows } from "./orders-of-0009.ts";

const columns = `variant_id, product_id, sku, name, quantity, fulfilled_quantity, unit_price_minor, subtotal_minor,
  discount_minor, tax_minor, total_minor`;

/** Every order has a line of one product; two have a SKU, and one of them two lines. */
export const shopWithoutTerms: readonly string[] = [
  ...oldRows,
  "UPDATE order_lines SET sku = 'MUG' WHERE order_id IN ('paid', 'unpaid')",
  `INSERT INTO order_lines (order_id, position, id, ${columns})
    SELECT order_id, 1, 'li_second', ${columns} FROM order_lines WHERE order_id = 'paid'`,
  `INSERT INTO events (id, sequence, name, subject, actor, request_id, data, created_at)
    VALUES ('evt_a', 41, 'order.placed', 'paid', '{}', NULL, '{}', 1)`,
];

export const TERMS = `SELECT term, count(*) AS orders, max(order_id) AS last_order, (SELECT count(*) FROM orders) AS placed
  FROM order_line_terms GROUP BY term ORDER BY term`;
export const CURSOR = "SELECT sequence FROM log_cursors WHERE consumer = 'order_line_terms'";
