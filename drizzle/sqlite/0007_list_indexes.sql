DROP INDEX `inventory_levels_low_index`;--> statement-breakpoint
CREATE INDEX `inventory_levels_low_index` ON `inventory_levels` (`tracked`,`variant_id`) WHERE tracked = 1 AND low_stock_threshold > on_hand - reserved;--> statement-breakpoint
CREATE INDEX `payments_method_index` ON `payments` (`method`,`id`);