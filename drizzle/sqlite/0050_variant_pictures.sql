ALTER TABLE `products` ADD `related_product_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `variants` ADD `image` text;