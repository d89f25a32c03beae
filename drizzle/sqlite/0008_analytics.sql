CREATE TABLE `analytics_buyers` (
	`scope` integer NOT NULL,
	`customer_id` text NOT NULL,
	`last_quarter` integer NOT NULL,
	PRIMARY KEY(`scope`, `customer_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analytics_checkouts` (
	`subject` text PRIMARY KEY NOT NULL,
	`is_left` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analytics_figures` (
	`scope` integer NOT NULL,
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`placed` integer NOT NULL,
	`paid` integer NOT NULL,
	`fulfilled` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`expired` integer NOT NULL,
	`units_sold` integer NOT NULL,
	`gross_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`shipping_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`started` integer NOT NULL,
	`abandoned` integer NOT NULL,
	`recovered` integer NOT NULL,
	`recovered_minor` integer NOT NULL,
	`attempts` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`scope`, `level`, `bucket`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analytics_names` (
	`number` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`title` text,
	`sku` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `analytics_names_unique` ON `analytics_names` (`name`,`kind`);--> statement-breakpoint
CREATE TABLE `analytics_parts` (
	`scope` integer NOT NULL,
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`kind` integer NOT NULL,
	`part` integer NOT NULL,
	`owner` integer NOT NULL,
	`count` integer NOT NULL,
	`units` integer NOT NULL,
	`gross_minor` integer NOT NULL,
	`net_minor` integer NOT NULL,
	PRIMARY KEY(`scope`, `level`, `bucket`, `kind`, `part`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analytics_purchases` (
	`scope` integer NOT NULL,
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`previous` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`scope`, `level`, `bucket`, `previous`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `analytics_purchases_previous_index` ON `analytics_purchases` (`scope`,`previous`,`bucket`) WHERE level = 1;--> statement-breakpoint
CREATE TABLE `analytics_refunded` (
	`order_id` text PRIMARY KEY NOT NULL,
	`refunded_minor` integer NOT NULL,
	CONSTRAINT "analytics_refunded_not_negative" CHECK("analytics_refunded"."refunded_minor" >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analytics_scopes` (
	`number` integer PRIMARY KEY NOT NULL,
	`currency` text NOT NULL,
	`channel` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `analytics_scopes_unique` ON `analytics_scopes` (`currency`,`channel`);