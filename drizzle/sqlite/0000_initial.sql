CREATE TABLE `customer_tags` (
	`tag` text NOT NULL,
	`customer_id` text NOT NULL,
	PRIMARY KEY(`tag`, `customer_id`),
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customer_tags_customer_index` ON `customer_tags` (`customer_id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text,
	`phone` text,
	`name` text,
	`first_name` text,
	`last_name` text,
	`addresses` text NOT NULL,
	`marketing_consent` integer NOT NULL,
	`tags` text NOT NULL,
	`metadata` text NOT NULL,
	`orders_count` integer NOT NULL,
	`erased_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "customers_orders_count_not_negative" CHECK("customers"."orders_count" >= 0),
	CONSTRAINT "customers_reachable" CHECK("customers"."email" IS NOT NULL OR "customers"."phone" IS NOT NULL OR "customers"."erased_at" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email_unique` ON `customers` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `customers_phone_unique` ON `customers` (`phone`);--> statement-breakpoint
CREATE TABLE `inventory_levels` (
	`variant_id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`sku` text,
	`on_hand` integer NOT NULL,
	`reserved` integer NOT NULL,
	`low_stock_threshold` integer NOT NULL,
	`tracked` integer NOT NULL,
	`backorder` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "inventory_levels_on_hand_not_negative" CHECK("inventory_levels"."on_hand" >= 0),
	CONSTRAINT "inventory_levels_reserved_not_negative" CHECK("inventory_levels"."reserved" >= 0),
	CONSTRAINT "inventory_levels_threshold_not_negative" CHECK("inventory_levels"."low_stock_threshold" >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `inventory_levels_product_index` ON `inventory_levels` (`product_id`,`variant_id`);--> statement-breakpoint
CREATE INDEX `inventory_levels_sku_index` ON `inventory_levels` (`sku`);--> statement-breakpoint
CREATE INDEX `inventory_levels_low_index` ON `inventory_levels` (`variant_id`) WHERE tracked = 1 AND on_hand - reserved < low_stock_threshold;--> statement-breakpoint
CREATE TABLE `inventory_movements` (
	`id` text NOT NULL,
	`variant_id` text NOT NULL,
	`delta_on_hand` integer NOT NULL,
	`delta_reserved` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`note` text,
	`actor` text NOT NULL,
	`balance_on_hand` integer NOT NULL,
	`balance_reserved` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`variant_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_key_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`action` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `api_key_changes_key_index` ON `api_key_changes` (`key_id`,`id`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`display` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`rate_per_minute` integer,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `fulfillments` (
	`order_id` text NOT NULL,
	`id` text NOT NULL,
	`lines` text NOT NULL,
	`tracking` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_lines` (
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`variant_id` text NOT NULL,
	`product_id` text NOT NULL,
	`sku` text,
	`name` text NOT NULL,
	`quantity` integer NOT NULL,
	`fulfilled_quantity` integer NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`subtotal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`total_minor` integer NOT NULL,
	PRIMARY KEY(`order_id`, `position`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_lines_quantity_positive" CHECK("order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_fulfilled_within_quantity" CHECK("order_lines"."fulfilled_quantity" BETWEEN 0 AND "order_lines"."quantity"),
	CONSTRAINT "order_lines_subtotal" CHECK("order_lines"."subtotal_minor" = "order_lines"."unit_price_minor" * "order_lines"."quantity"),
	CONSTRAINT "order_lines_total_adds_up" CHECK("order_lines"."total_minor" = "order_lines"."subtotal_minor" - "order_lines"."discount_minor" + "order_lines"."tax_minor")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `orders` (
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
	`paid_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`open_attempts` integer NOT NULL,
	`paid_at` integer,
	`fulfilled_at` integer,
	`cancelled_at` integer,
	`expires_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_total_adds_up" CHECK("orders"."total_minor" = "orders"."subtotal_minor" - "orders"."discount_minor" + "orders"."shipping_minor" + "orders"."tax_minor"),
	CONSTRAINT "orders_refunded_within_paid" CHECK("orders"."refunded_minor" BETWEEN 0 AND "orders"."paid_minor"),
	CONSTRAINT "orders_open_attempts_not_negative" CHECK("orders"."open_attempts" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number_unique` ON `orders` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_external_id_unique` ON `orders` (`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_status_index` ON `orders` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_payment_status_index` ON `orders` (`payment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_fulfillment_status_index` ON `orders` (`fulfillment_status`,`id`);--> statement-breakpoint
CREATE INDEX `orders_channel_index` ON `orders` (`channel`,`id`);--> statement-breakpoint
CREATE INDEX `orders_customer_index` ON `orders` (`customer_id`,`id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL,
	CONSTRAINT "counters_value_not_negative" CHECK("counters"."value" >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`actor` text NOT NULL,
	`request_id` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_sequence_unique` ON `events` (`sequence`);--> statement-breakpoint
CREATE INDEX `events_name_index` ON `events` (`name`,`sequence`);--> statement-breakpoint
CREATE INDEX `events_subject_index` ON `events` (`subject`,`sequence`);--> statement-breakpoint
CREATE TABLE `stored_answers` (
	`key` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `stored_answers_created_index` ON `stored_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `product_tags` (
	`tag` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`tag`, `product_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `product_tags_product_index` ON `product_tags` (`product_id`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`category` text,
	`tags` text NOT NULL,
	`images` text NOT NULL,
	`options` text NOT NULL,
	`metadata` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug_unique` ON `products` (`slug`);--> statement-breakpoint
CREATE INDEX `products_status_index` ON `products` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `products_category_index` ON `products` (`category`,`id`);--> statement-breakpoint
CREATE TABLE `variants` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`position` integer NOT NULL,
	`sku` text,
	`barcode` text,
	`title` text NOT NULL,
	`options` text NOT NULL,
	`prices` text NOT NULL,
	`weight_grams` integer,
	`metadata` text NOT NULL,
	`first_sold_at` integer,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "variants_weight_not_negative" CHECK("variants"."weight_grams" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `variants_sku_unique` ON `variants` (`sku`);--> statement-breakpoint
CREATE INDEX `variants_product_index` ON `variants` (`product_id`,`position`);--> statement-breakpoint
CREATE TABLE `store` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`timezone` text NOT NULL,
	`low_stock_threshold` integer NOT NULL,
	`order_expiry_minutes` integer,
	`recovery_url_template` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "store_low_stock_threshold_not_negative" CHECK("store"."low_stock_threshold" >= 0),
	CONSTRAINT "store_order_expiry_positive" CHECK("store"."order_expiry_minutes" > 0)
) STRICT;
