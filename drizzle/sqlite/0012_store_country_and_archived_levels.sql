ALTER TABLE `inventory_levels` ADD `archived_at` integer;--> statement-breakpoint
ALTER TABLE `store` ADD `country` text;--> statement-breakpoint
UPDATE `inventory_levels` SET `archived_at` = (SELECT `archived_at` FROM `variants` WHERE `variants`.`id` = `inventory_levels`.`variant_id`);