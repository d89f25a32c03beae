CREATE TABLE `cart_recovery` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`public_url` text NOT NULL,
	CONSTRAINT "cart_recovery_is_one_row" CHECK("cart_recovery"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `carts` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`customer_id` text,
	`email` text,
	`phone` text,
	`name` text,
	`currency` text NOT NULL,
	`lines` text NOT NULL,
	`remembered` text NOT NULL,
	`payment_method` text,
	`shipping_address` text,
	`metadata` text NOT NULL,
	`recovery_url` text,
	`order_id` text,
	`checkout_started_at` integer,
	`expires_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "carts_completed_is_an_order" CHECK(("carts"."status" = 'completed') = ("carts"."order_id" IS NOT NULL)),
	CONSTRAINT "carts_checkout_has_begun" CHECK("carts"."status" <> 'checkout' OR "carts"."checkout_started_at" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `carts_status_index` ON `carts` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `carts_customer_index` ON `carts` (`customer_id`,`id`) WHERE customer_id IS NOT NULL;