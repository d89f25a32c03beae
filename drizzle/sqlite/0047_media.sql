CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`alt` text NOT NULL,
	`placeholder` text NOT NULL,
	`files` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `media_sha256_unique` ON `media` (`sha256`);--> statement-breakpoint
CREATE TABLE `media_address` (
	`id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	CONSTRAINT "media_address_is_one_row" CHECK("media_address"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `product_media` (
	`media_id` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`media_id`, `product_id`),
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `product_media_product_index` ON `product_media` (`product_id`);