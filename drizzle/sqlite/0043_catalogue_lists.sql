CREATE TABLE `product_prices` (
	`product_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	PRIMARY KEY(`product_id`, `currency`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `product_prices_amount_index` ON `product_prices` (`currency`,`amount_minor`,`product_id`);--> statement-breakpoint
CREATE TABLE `product_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `product_slugs_product_index` ON `product_slugs` (`product_id`);--> statement-breakpoint
ALTER TABLE `products` ADD `brand` text;--> statement-breakpoint
ALTER TABLE `products` ADD `seo_title` text;--> statement-breakpoint
ALTER TABLE `products` ADD `seo_description` text;--> statement-breakpoint
ALTER TABLE `products` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `products_brand_index` ON `products` (`brand`,`id`) WHERE brand IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_name_index` ON `products` (`name_key`,`id`);--> statement-breakpoint
INSERT INTO `product_prices` (`product_id`, `currency`, `amount_minor`)
	SELECT `product_id`, `price`.`value` ->> 'currency', min(`price`.`value` ->> 'amountMinor')
	FROM `variants`, json_each(`prices`) AS `price` WHERE `archived_at` IS NULL GROUP BY 1, 2 ORDER BY 1, 2;