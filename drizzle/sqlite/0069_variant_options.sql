-- contract
CREATE TABLE `product_indexing` (
	`id` integer PRIMARY KEY NOT NULL,
	`after` text NOT NULL,
	CONSTRAINT "product_indexing_is_one_row" CHECK("product_indexing"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `variant_options` (
	`name_key` text NOT NULL,
	`value_key` text NOT NULL,
	`variant_id` text NOT NULL,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`name_key`, `value_key`, `variant_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `variant_options_product_index` ON `variant_options` (`product_id`,`name_key`,`value_key`,`name`,`value`);--> statement-breakpoint
INSERT INTO `product_indexing` (`id`, `after`) SELECT 1, '' WHERE EXISTS (SELECT 1 FROM `products`);