CREATE TABLE `discount_codes` (
	`code` text PRIMARY KEY NOT NULL,
	`discount_id` text NOT NULL,
	`usage_limit` integer,
	`used_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`discount_id`) REFERENCES `discounts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "discount_codes_used_count_not_negative" CHECK("discount_codes"."used_count" >= 0),
	CONSTRAINT "discount_codes_used_within_limit" CHECK("discount_codes"."usage_limit" IS NULL OR "discount_codes"."used_count" <= "discount_codes"."usage_limit")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `discount_codes_discount_index` ON `discount_codes` (`discount_id`,`code`);--> statement-breakpoint
CREATE TABLE `discount_buyers` (
	`discount_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`discount_id`, `customer_id`),
	FOREIGN KEY (`discount_id`) REFERENCES `discounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "discount_buyers_uses_not_negative" CHECK("discount_buyers"."uses" >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `discount_uses` (
	`discount_id` text NOT NULL,
	`order_id` text NOT NULL,
	`code` text,
	`customer_id` text,
	`counted` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`discount_id`, `order_id`),
	FOREIGN KEY (`discount_id`) REFERENCES `discounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `discount_uses_order_index` ON `discount_uses` (`order_id`);--> statement-breakpoint
CREATE INDEX `discount_uses_code_index` ON `discount_uses` (`code`);--> statement-breakpoint
CREATE INDEX `discount_uses_customer_index` ON `discount_uses` (`discount_id`,`customer_id`);--> statement-breakpoint
CREATE TABLE `discounts` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`target` text NOT NULL,
	`terms` text NOT NULL,
	`scope` text,
	`minimum` text NOT NULL,
	`is_automatic` integer NOT NULL,
	`is_stackable` integer NOT NULL,
	`usage_limit` integer,
	`per_customer_limit` integer,
	`customer_tags` text NOT NULL,
	`used_count` integer NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`archived_at` integer,
	`metadata` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "discounts_used_count_not_negative" CHECK("discounts"."used_count" >= 0),
	CONSTRAINT "discounts_used_within_limit" CHECK("discounts"."usage_limit" IS NULL OR "discounts"."used_count" <= "discounts"."usage_limit")
) STRICT;
--> statement-breakpoint
CREATE INDEX `discounts_automatic_index` ON `discounts` (`is_automatic`,`archived_at`,`id`);--> statement-breakpoint
CREATE TABLE `pickup_locations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`instructions` text,
	`amounts` text NOT NULL,
	`active` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `shipping_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`zone_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`tiers` text NOT NULL,
	`free_over` text NOT NULL,
	`min_days` integer,
	`max_days` integer,
	`active` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `shipping_zones`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "shipping_rates_min_days_not_negative" CHECK("shipping_rates"."min_days" >= 0),
	CONSTRAINT "shipping_rates_days_in_order" CHECK("shipping_rates"."max_days" >= "shipping_rates"."min_days")
) STRICT;
--> statement-breakpoint
CREATE INDEX `shipping_rates_zone_index` ON `shipping_rates` (`zone_id`,`id`);--> statement-breakpoint
CREATE TABLE `shipping_zones` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`places` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tax_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`country` text NOT NULL,
	`region` text,
	`region_key` text NOT NULL,
	`tax_class` text NOT NULL,
	`name` text NOT NULL,
	`millionths` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_until` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "tax_rates_millionths_in_range" CHECK("tax_rates"."millionths" BETWEEN 0 AND 1000000),
	CONSTRAINT "tax_rates_end_after_start" CHECK("tax_rates"."valid_until" >= "tax_rates"."valid_from")
) STRICT;
--> statement-breakpoint
CREATE INDEX `tax_rates_country_index` ON `tax_rates` (`country`,`id`);--> statement-breakpoint
CREATE INDEX `tax_rates_class_index` ON `tax_rates` (`tax_class`);--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `included_tax_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `refunded_tax_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `abandoned_discounted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `tax_class` text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE `variants` ADD `requires_shipping` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `tax_exemption` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `shipping_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `taxes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `carts` ADD `shipping_option_id` text;--> statement-breakpoint
ALTER TABLE `carts` ADD `discount_codes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `carts` ADD `applied_codes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `carts` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `carts` ADD `breakdown` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `breakdown` text;--> statement-breakpoint
ALTER TABLE `store` ADD `prices_include_tax` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `shipping_tax` text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `legal_name` text;--> statement-breakpoint
ALTER TABLE `store` ADD `tax_id` text;--> statement-breakpoint
ALTER TABLE `store` ADD `default_weight_grams` integer;--> statement-breakpoint
ALTER TABLE `store` ADD `has_price_terms` integer DEFAULT false NOT NULL;