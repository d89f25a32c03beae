CREATE TABLE `order_returns` (
	`order_id` text NOT NULL,
	`id` text NOT NULL,
	`lines` text NOT NULL,
	`reason` text NOT NULL,
	`note` text,
	`refund_minor` integer NOT NULL,
	`written_off_minor` integer NOT NULL,
	`exchange_order_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_order_lines` (
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`variant_id` text NOT NULL,
	`product_id` text NOT NULL,
	`sku` text,
	`name` text NOT NULL,
	`quantity` integer NOT NULL,
	`cancelled_quantity` integer NOT NULL,
	`fulfilled_quantity` integer NOT NULL,
	`returned_quantity` integer NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`subtotal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`total_minor` integer NOT NULL,
	PRIMARY KEY(`order_id`, `position`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_lines_quantity_positive" CHECK("__new_order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_open_not_negative" CHECK("__new_order_lines"."cancelled_quantity" >= 0 AND "__new_order_lines"."fulfilled_quantity" >= 0 AND "__new_order_lines"."cancelled_quantity" + "__new_order_lines"."fulfilled_quantity" <= "__new_order_lines"."quantity"),
	CONSTRAINT "order_lines_returned_within_fulfilled" CHECK("__new_order_lines"."returned_quantity" BETWEEN 0 AND "__new_order_lines"."fulfilled_quantity"),
	CONSTRAINT "order_lines_subtotal" CHECK("__new_order_lines"."subtotal_minor" = "__new_order_lines"."unit_price_minor" * "__new_order_lines"."quantity"),
	CONSTRAINT "order_lines_total_adds_up" CHECK("__new_order_lines"."total_minor" = "__new_order_lines"."subtotal_minor" - "__new_order_lines"."discount_minor" + "__new_order_lines"."tax_minor")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Units that refunds put back on the shelf have come back. Nothing of a cancelled order had shipped.
CREATE TABLE `__restocked` AS
SELECT refunds.order_id, json_extract(line.value, '$.lineItemId') AS line_id, sum(json_extract(line.value, '$.restocked')) AS units
FROM refunds, json_each(refunds.lines) AS line
WHERE refunds.status = 'succeeded' AND refunds.order_id IS NOT NULL AND json_extract(line.value, '$.restocked') > 0
GROUP BY refunds.order_id, line_id;
--> statement-breakpoint
CREATE INDEX `__restocked_index` ON `__restocked` (`order_id`, `line_id`);
--> statement-breakpoint
INSERT INTO `__new_order_lines`("order_id", "position", "id", "variant_id", "product_id", "sku", "name", "quantity", "cancelled_quantity", "fulfilled_quantity", "returned_quantity", "unit_price_minor", "subtotal_minor", "discount_minor", "tax_minor", "total_minor")
SELECT "order_id", "position", "id", "variant_id", "product_id", "sku", "name", "quantity",
  CASE (SELECT status FROM orders WHERE orders.id = order_lines.order_id) WHEN 'cancelled' THEN quantity - fulfilled_quantity ELSE 0 END,
  "fulfilled_quantity",
  min(fulfilled_quantity, coalesce((SELECT units FROM `__restocked` WHERE `__restocked`.order_id = order_lines.order_id AND line_id = order_lines.id), 0)),
  "unit_price_minor", "subtotal_minor", "discount_minor", "tax_minor", "total_minor"
FROM `order_lines`;
--> statement-breakpoint
DROP TABLE `__restocked`;
--> statement-breakpoint
DROP TABLE `order_lines`;--> statement-breakpoint
ALTER TABLE `__new_order_lines` RENAME TO `order_lines`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__new_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`fulfillment_status` text NOT NULL,
	`customer_id` text,
	`customer` text,
	`payment_method` text NOT NULL,
	`currency` text NOT NULL,
	`channel` text NOT NULL,
	`external_id` text,
	`cart_id` text,
	`shipping_address` text,
	`billing_address` text,
	`notes` text,
	`metadata` text NOT NULL,
	`shipping_label` text,
	`cancel_reason` text,
	`cancel_note` text,
	`subtotal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`shipping_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`total_minor` integer NOT NULL,
	`credited_minor` integer NOT NULL,
	`kept_minor` integer NOT NULL,
	`written_off_minor` integer NOT NULL,
	`sale_total_minor` integer,
	`paid_minor` integer NOT NULL,
	`refunding_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`payments_in_review` integer NOT NULL,
	`open_attempts` integer NOT NULL,
	`paid_at` integer,
	`fulfilled_at` integer,
	`cancelled_at` integer,
	`expires_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_total_adds_up" CHECK("__new_orders"."total_minor" = "__new_orders"."subtotal_minor" - "__new_orders"."discount_minor" + "__new_orders"."shipping_minor" + "__new_orders"."tax_minor"),
	CONSTRAINT "orders_refunded_within_paid" CHECK("__new_orders"."refunded_minor" BETWEEN 0 AND "__new_orders"."paid_minor"),
	CONSTRAINT "orders_refunding_within_paid" CHECK("__new_orders"."refunding_minor" BETWEEN "__new_orders"."refunded_minor" AND "__new_orders"."paid_minor"),
	CONSTRAINT "orders_credited_within_total" CHECK("__new_orders"."credited_minor" BETWEEN 0 AND "__new_orders"."total_minor"),
	CONSTRAINT "orders_owed_not_negative" CHECK("__new_orders"."kept_minor" >= 0 AND "__new_orders"."written_off_minor" BETWEEN 0 AND "__new_orders"."total_minor" - "__new_orders"."credited_minor" + "__new_orders"."kept_minor"),
	CONSTRAINT "orders_payments_in_review_not_negative" CHECK("__new_orders"."payments_in_review" >= 0),
	CONSTRAINT "orders_open_attempts_not_negative" CHECK("__new_orders"."open_attempts" >= 0)
) STRICT;
--> statement-breakpoint
-- Discounts and taxes were zero until now, so a unit's share is its price.
INSERT INTO `__new_orders`("id", "number", "status", "payment_status", "fulfillment_status", "customer_id", "customer", "payment_method", "currency", "channel", "external_id", "cart_id", "shipping_address", "billing_address", "notes", "metadata", "shipping_label", "cancel_reason", "cancel_note", "subtotal_minor", "discount_minor", "shipping_minor", "tax_minor", "total_minor", "credited_minor", "kept_minor", "written_off_minor", "sale_total_minor", "paid_minor", "refunding_minor", "refunded_minor", "payments_in_review", "open_attempts", "paid_at", "fulfilled_at", "cancelled_at", "expires_at", "version", "created_at", "updated_at")
WITH figured AS (
  SELECT orders.*,
    (SELECT coalesce(sum(unit_price_minor * (cancelled_quantity + returned_quantity)), 0) FROM order_lines WHERE order_id = orders.id)
      + CASE status WHEN 'cancelled' THEN shipping_minor ELSE 0 END AS credited,
    (SELECT coalesce(sum(min(refunding_minor, captured_minor)), 0) FROM payments WHERE order_id = orders.id AND order_id IS NOT NULL AND status IN ('succeeded', 'partially_refunded', 'refunded')) AS refunding,
    (SELECT count(*) FROM payments WHERE order_id = orders.id AND order_id IS NOT NULL AND status = 'review') AS reviews
  FROM orders
), keeping AS (
  -- What a cancelled order still has was kept, unless its refund waits to be opened.
  SELECT figured.*,
    CASE WHEN credited > 0 AND NOT EXISTS (SELECT 1 FROM timers WHERE name = 'refund_cancelled_order' AND subject = figured.id)
      THEN max(0, paid_minor - refunding - (total_minor - credited)) ELSE 0 END AS kept
  FROM figured
), owing AS (
  SELECT keeping.*,
    paid_minor - refunding AS net,
    total_minor - credited + kept AS owed,
    CASE WHEN paid_at IS NOT NULL OR status = 'cancelled' THEN 0
      ELSE max(0, total_minor - credited + kept - (paid_minor - refunding)) END AS due
  FROM keeping
)
SELECT "id", "number", "status", CASE
    WHEN due > 0 AND reviews > 0 THEN 'review'
    WHEN due > 0 AND net > 0 THEN 'partially_paid'
    WHEN due > 0 AND open_attempts > 0 THEN 'pending'
    WHEN due > 0 THEN 'unpaid'
    WHEN paid_minor = 0 AND paid_at IS NOT NULL THEN 'paid'
    WHEN paid_minor = 0 AND reviews > 0 THEN 'review'
    WHEN paid_minor = 0 THEN 'unpaid'
    WHEN refunded_minor = paid_minor THEN 'refunded'
    WHEN net > owed THEN 'overpaid'
    WHEN refunded_minor > 0 THEN 'partially_refunded'
    ELSE 'paid' END, "fulfillment_status", "customer_id", "customer", "payment_method", "currency", "channel", "external_id", "cart_id", "shipping_address", "billing_address", "notes", "metadata", "shipping_label", "cancel_reason", "cancel_note", "subtotal_minor", "discount_minor", "shipping_minor", "tax_minor", "total_minor", credited, kept, 0, CASE WHEN paid_at IS NULL THEN NULL ELSE total_minor END, "paid_minor", refunding, "refunded_minor", reviews, "open_attempts", "paid_at", "fulfilled_at", "cancelled_at", "expires_at", "version", "created_at", "updated_at"
FROM owing;
--> statement-breakpoint
DROP TABLE `orders`;--> statement-breakpoint
ALTER TABLE `__new_orders` RENAME TO `orders`;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number_unique` ON `orders` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external_id_unique` ON `orders` (`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_status_index` ON `orders` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_payment_status_index` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_fulfillment_status_index` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_channel_index` ON `orders` (`channel`,`id`);--> statement-breakpoint
CREATE INDEX `orders_customer_index` ON `orders` (`customer_id`,`id`) WHERE customer_id IS NOT NULL;