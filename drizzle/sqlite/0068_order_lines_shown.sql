-- expand
ALTER TABLE `order_lines` ADD `shown` text;--> statement-breakpoint
CREATE INDEX `order_lines_to_fill_index` ON `order_lines` (`order_id`,`position`) WHERE shown IS NULL AND variant_id IS NOT NULL;