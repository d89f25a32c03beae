// Stock and its ledger in a shop of the last schema, and the chains that they become.

const variants = ["var_moved_twice", "var_moved_once", "var_never_moved"];

const level = (variant: string) => `INSERT INTO inventory_levels
  (variant_id, product_id, sku, on_hand, reserved, low_stock_threshold, tracked, backorder, version, updated_at)
  VALUES ('${variant}', 'prod_1', NULL, 5, 0, 0, true, 'deny', 1, 0)`;

const movement = (variant: string, id: string) => `INSERT INTO inventory_movements
  (id, variant_id, delta_on_hand, delta_reserved, reason, actor, balance_on_hand, balance_reserved, created_at)
  VALUES ('${id}', '${variant}', 5, 0, 'received', '{}', 5, 0, 0)`;

export const shopOf0036 = [
  ...variants.map(level),
  movement("var_moved_twice", "mov_1"),
  movement("var_moved_once", "mov_2"),
  movement("var_moved_twice", "mov_3"),
];

export const CHAINS = `SELECT levels.variant_id, last_movement_id, previous_movement_id, previous_id
  FROM inventory_levels levels LEFT JOIN inventory_movements ON id = last_movement_id
  ORDER BY levels.variant_id`;

export const chains = [
  ["var_moved_once", "mov_2", null, null],
  ["var_moved_twice", "mov_3", "mov_1", "mov_1"],
  ["var_never_moved", null, null, null],
];
