-- contract
CREATE TABLE `receiving_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`method` text NOT NULL,
	`label` text NOT NULL,
	`instructions` text NOT NULL,
	`currencies` text NOT NULL,
	`active` integer NOT NULL,
	`position` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `receiving_accounts_position_index` ON `receiving_accounts` (`position`,`id`);--> statement-breakpoint
INSERT INTO `shipping_rates` (`id`, `zone_id`, `name`, `kind`, `tiers`, `free_over`, `min_days`, `max_days`, `active`, `metadata`, `version`, `created_at`, `updated_at`)
SELECT 'shr_' || substr(`id`, 5), `id`, 'Delivery', 'flat',
	json_array(json_object('from', 0, 'amounts', json((SELECT json_group_array(json_object('currency', `currency`, 'amountMinor', 0)) FROM (SELECT `currency` FROM `store` UNION SELECT `currency` FROM `product_prices`))))),
	'[]', NULL, NULL, 1, '{}', 1, `updated_at`, `updated_at`
FROM `shipping_zones` WHERE NOT EXISTS (SELECT 1 FROM `shipping_rates` WHERE `active` = 1);
