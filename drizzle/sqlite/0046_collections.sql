CREATE TABLE `collection_products` (
	`collection_id` text NOT NULL,
	`position` integer NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`collection_id`, `position`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `collection_products_product_unique` ON `collection_products` (`product_id`,`collection_id`);--> statement-breakpoint
CREATE TABLE `collection_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`collection_id` text NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `collection_slugs_collection_index` ON `collection_slugs` (`collection_id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`image` text,
	`rule` text,
	`sort` text NOT NULL,
	`seo_title` text,
	`seo_description` text,
	`is_published` integer NOT NULL,
	`parent_id` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_slug_unique` ON `collections` (`slug`);--> statement-breakpoint
CREATE INDEX `collections_parent_index` ON `collections` (`parent_id`,`id`);