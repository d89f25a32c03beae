-- contract
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`fulfillment_status` text NOT NULL,
	`customer_id` text,
	`customer` text,
	`contact_email` text,
	`contact_phone` text,
	`payment_method` text NOT NULL,
	`currency` text NOT NULL,
	`channel` text NOT NULL,
	`external_id` text,
	`cart_id` text,
	`is_from_public_key` integer DEFAULT false NOT NULL,
	`is_strangers` integer DEFAULT false NOT NULL,
	`shipping_address` text,
	`billing_address` text,
	`notes` text,
	`metadata` text NOT NULL,
	`shipping_label` text,
	`tax_id` text,
	`breakdown` text,
	`cancel_reason` text,
	`cancel_note` text,
	`subtotal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`shipping_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`total_minor` integer NOT NULL,
	`deposit_percent` integer DEFAULT 100 NOT NULL,
	`credited_minor` integer NOT NULL,
	`kept_minor` integer NOT NULL,
	`kept_apart_minor` integer DEFAULT 0 NOT NULL,
	`written_off_minor` integer NOT NULL,
	`sale_total_minor` integer,
	`sale_refunding_minor` integer DEFAULT 0 NOT NULL,
	`kept_refunding_minor` integer DEFAULT 0 NOT NULL,
	`due_minor` integer DEFAULT 0 NOT NULL,
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
	CONSTRAINT "orders_kept_apart_within_kept" CHECK("__new_orders"."kept_apart_minor" BETWEEN 0 AND "__new_orders"."kept_minor"),
	CONSTRAINT "orders_refunding_within_kept_apart" CHECK("__new_orders"."kept_refunding_minor" BETWEEN 0 AND "__new_orders"."kept_apart_minor"),
	CONSTRAINT "orders_refunding_within_sale" CHECK("__new_orders"."sale_refunding_minor" BETWEEN 0 AND coalesce("__new_orders"."sale_total_minor", 0)),
	CONSTRAINT "orders_owed_not_negative" CHECK("__new_orders"."written_off_minor" >= 0 AND "__new_orders"."due_minor" >= 0),
	CONSTRAINT "orders_payments_in_review_not_negative" CHECK("__new_orders"."payments_in_review" >= 0),
	CONSTRAINT "orders_open_attempts_not_negative" CHECK("__new_orders"."open_attempts" >= 0)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_orders`("id", "number", "status", "payment_status", "fulfillment_status", "customer_id", "customer", "contact_email", "contact_phone", "payment_method", "currency", "channel", "external_id", "cart_id", "is_from_public_key", "is_strangers", "shipping_address", "billing_address", "notes", "metadata", "shipping_label", "tax_id", "breakdown", "cancel_reason", "cancel_note", "subtotal_minor", "discount_minor", "shipping_minor", "tax_minor", "total_minor", "deposit_percent", "credited_minor", "kept_minor", "written_off_minor", "sale_total_minor", "paid_minor", "refunding_minor", "refunded_minor", "payments_in_review", "open_attempts", "paid_at", "fulfilled_at", "cancelled_at", "expires_at", "version", "created_at", "updated_at") SELECT "id", "number", "status", "payment_status", "fulfillment_status", "customer_id", "customer", "contact_email", "contact_phone", "payment_method", "currency", "channel", "external_id", "cart_id", "is_from_public_key", "is_strangers", "shipping_address", "billing_address", "notes", "metadata", "shipping_label", "tax_id", "breakdown", "cancel_reason", "cancel_note", "subtotal_minor", "discount_minor", "shipping_minor", "tax_minor", "total_minor", "deposit_percent", "credited_minor", "kept_minor", "written_off_minor", "sale_total_minor", "paid_minor", "refunding_minor", "refunded_minor", "payments_in_review", "open_attempts", "paid_at", "fulfilled_at", "cancelled_at", "expires_at", "version", "created_at", "updated_at" FROM `orders`;--> statement-breakpoint
DROP TABLE `orders`;--> statement-breakpoint
ALTER TABLE `__new_orders` RENAME TO `orders`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number_unique` ON `orders` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external_id_unique` ON `orders` (`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_status_index` ON `orders` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_payment_status_index` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_open_payment_index` ON `orders` (`status`,`payment_status`,`id`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `orders_fulfillment_status_index` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_channel_index` ON `orders` (`channel`,`id`);--> statement-breakpoint
CREATE INDEX `orders_payment_method_index` ON `orders` (`payment_method`,`id`);--> statement-breakpoint
CREATE INDEX `orders_to_pack_index` ON `orders` (`status`,`id`) WHERE status = 'open' AND fulfillment_status <> 'fulfilled' AND (payment_status IN ('paid', 'overpaid', 'partially_refunded') OR (payment_method IN ('cash_on_delivery', 'cash') AND payment_status <> 'refunded' AND (deposit_percent = 100 OR payment_status = 'partially_paid')));--> statement-breakpoint
CREATE INDEX `orders_short_index` ON `orders` (`id`) WHERE due_minor > 0 AND paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_updated_week_index` ON `orders` ((updated_at / 604800000),`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `orders_paid_week_index` ON `orders` ((paid_at / 604800000),`id`,`paid_at`) WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_customer_index` ON `orders` (`customer_id`,`id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_contact_email_index` ON `orders` (`contact_email`,`id`) WHERE contact_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_contact_phone_index` ON `orders` (`contact_phone`,`id`) WHERE contact_phone IS NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `sale_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `kept_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The part of the sale of each refund of before: by the figures that its order told last, the oldest first, named parts
-- whole, and those that are done before others. A failed one is of the sale if it was not of late money.
UPDATE refunds SET sale_minor = of_sale.part_minor FROM (
  SELECT id, min(sale_minor, wanted_to) - min(sale_minor, wanted_to - wanted) AS part_minor FROM (
    SELECT id, sale_minor, wanted, sum(wanted) OVER (PARTITION BY order_id ORDER BY is_open, id) AS wanted_to FROM (
      SELECT id, order_id, sale_minor, is_open,
        named + max(0, unnamed_to - beyond) - max(0, unnamed_to - unnamed - beyond) AS wanted
      FROM (
        SELECT id, order_id, sale_minor, is_open, named, unnamed,
          sum(unnamed) OVER (PARTITION BY order_id ORDER BY is_open, id) AS unnamed_to,
          max(0, came - sum(late) OVER (PARTITION BY order_id)) AS beyond
        FROM (
          SELECT refunds.id, refunds.order_id, orders.sale_total_minor AS sale_minor,
            orders.paid_minor - orders.sale_total_minor + orders.written_off_minor AS came,
            CASE WHEN refunds.status IN ('succeeded', 'closed') THEN 0 ELSE 1 END AS is_open,
            refunds.named_minor AS named,
            CASE WHEN refunds.is_automatic THEN refunds.amount_minor ELSE 0 END AS late,
            CASE WHEN refunds.is_automatic THEN 0 ELSE refunds.amount_minor - refunds.named_minor END AS unnamed
          FROM refunds
          JOIN orders ON orders.id = refunds.order_id
          JOIN payments ON payments.id = refunds.payment_id
          WHERE orders.sale_total_minor IS NOT NULL AND payments.captured_minor > 0
            AND refunds.status NOT IN ('failed', 'cancelled')
            AND NOT (refunds.is_external AND coalesce(refunds.gateway_code, '') = 'refund_exceeds_captured')
        ) AS counted
      ) AS summed
    ) AS claimed
  ) AS running
) AS of_sale WHERE refunds.id = of_sale.id AND of_sale.part_minor > 0;--> statement-breakpoint
UPDATE refunds SET sale_minor = amount_minor WHERE status IN ('failed', 'cancelled') AND NOT is_automatic
  AND order_id IN (SELECT id FROM orders WHERE sale_total_minor IS NOT NULL);--> statement-breakpoint
UPDATE orders SET sale_refunding_minor = of_order.sale_minor FROM (
  SELECT order_id, sum(sale_minor) AS sale_minor FROM refunds
  WHERE order_id IS NOT NULL AND status NOT IN ('failed', 'cancelled') GROUP BY order_id
) AS of_order WHERE orders.id = of_order.order_id AND of_order.sale_minor > 0;--> statement-breakpoint
-- Money that came later let refunds of credited units seem to be of it: they are of the sale, the newest first.
UPDATE refunds SET sale_minor = refunds.sale_minor + of_units.part_minor FROM (
  SELECT id, min(room, missing - room_to + room) AS part_minor FROM (
    SELECT refunds.id, refunds.amount_minor - refunds.sale_minor AS room,
      orders.sale_total_minor - orders.total_minor + orders.credited_minor - orders.kept_minor
        - orders.sale_refunding_minor AS missing,
      sum(refunds.amount_minor - refunds.sale_minor) OVER (
        PARTITION BY refunds.order_id ORDER BY refunds.status NOT IN ('succeeded', 'closed') DESC, refunds.id DESC
      ) AS room_to
    FROM refunds
    JOIN orders ON orders.id = refunds.order_id
    JOIN payments ON payments.id = refunds.payment_id
    WHERE payments.captured_minor > 0 AND NOT refunds.is_automatic
      AND refunds.status NOT IN ('failed', 'cancelled')
      AND NOT (refunds.is_external AND coalesce(refunds.gateway_code, '') = 'refund_exceeds_captured')
      AND orders.sale_total_minor > orders.total_minor - orders.credited_minor + orders.kept_minor + orders.sale_refunding_minor
      AND orders.paid_minor - orders.refunding_minor
        > orders.total_minor - orders.credited_minor + orders.kept_minor - orders.written_off_minor
  ) AS with_room
) AS of_units WHERE refunds.id = of_units.id AND of_units.part_minor > 0;--> statement-breakpoint
UPDATE orders SET sale_refunding_minor = of_order.sale_minor FROM (
  SELECT order_id, sum(sale_minor) AS sale_minor FROM refunds
  WHERE order_id IS NOT NULL AND status NOT IN ('failed', 'cancelled') GROUP BY order_id
) AS of_order WHERE orders.id = of_order.order_id AND of_order.sale_minor > 0;--> statement-breakpoint
-- The money that was kept before there was a sale: what leaves as much overpaid as before.
UPDATE orders SET kept_apart_minor = CASE WHEN sale_total_minor IS NULL THEN kept_minor ELSE
  min(kept_minor, max(0, paid_minor - refunding_minor + sale_refunding_minor + written_off_minor - sale_total_minor
    - max(0, paid_minor - refunding_minor - total_minor + credited_minor - kept_minor + written_off_minor))) END
WHERE kept_minor > 0;--> statement-breakpoint
-- Of a sold order it is what a corrected payment had forgiven.
UPDATE orders SET due_minor = max(0, CASE WHEN sale_total_minor IS NULL THEN total_minor - credited_minor
    ELSE sale_total_minor - sale_refunding_minor END
  + kept_apart_minor - written_off_minor - paid_minor + refunding_minor)
WHERE status <> 'cancelled' AND (sale_total_minor IS NULL OR refunding_minor > 0 OR kept_minor > 0
  OR paid_minor < sale_total_minor - written_off_minor);--> statement-breakpoint
UPDATE orders SET payment_status = CASE
  WHEN due_minor > 0 AND payments_in_review > 0 THEN 'review'
  WHEN due_minor > 0 AND paid_minor > refunding_minor THEN 'partially_paid'
  WHEN due_minor > 0 AND open_attempts > 0 THEN 'pending'
  WHEN due_minor > 0 THEN 'unpaid'
  WHEN refunded_minor = paid_minor THEN 'refunded'
  WHEN paid_minor - refunding_minor > sale_total_minor - sale_refunding_minor + kept_apart_minor - written_off_minor
    THEN 'overpaid'
  WHEN refunded_minor > 0 THEN 'partially_refunded'
  ELSE 'paid' END
WHERE sale_total_minor IS NOT NULL AND paid_minor > 0 AND (due_minor > 0 OR payment_status = 'overpaid');