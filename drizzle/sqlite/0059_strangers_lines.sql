DROP INDEX `orders_strangers_index`;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `is_strangers` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `order_lines` SET `is_strangers` = 1 WHERE `order_id` IN (SELECT `id` FROM `orders` WHERE `is_strangers` = 1);--> statement-breakpoint
CREATE INDEX `order_lines_strangers_index` ON `order_lines` (`variant_id`,`quantity`,`cancelled_quantity`,`fulfilled_quantity`,`is_strangers`) WHERE is_strangers = 1 AND quantity > cancelled_quantity + fulfilled_quantity;