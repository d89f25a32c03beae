ALTER TABLE `carts` ADD `billing_address` text;--> statement-breakpoint
ALTER TABLE `carts` ADD `shipping_label` text;--> statement-breakpoint
ALTER TABLE `carts` ADD `shipping_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `carts` ADD `notes` text;--> statement-breakpoint
ALTER TABLE `carts` ADD `channel` text DEFAULT 'online_store' NOT NULL;--> statement-breakpoint
ALTER TABLE `carts` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `store` ADD `payment_methods` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `gateway_methods` text DEFAULT '[]' NOT NULL;