ALTER TABLE `refunds` ADD `actor_id` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `reopened_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `approval` text;--> statement-breakpoint
UPDATE `refunds` SET `actor_id` = `lineage` WHERE `lineage` <> '';--> statement-breakpoint
CREATE INDEX `refunds_actor_index` ON `refunds` (`actor_id`,`created_at`) WHERE actor_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `refunds_reopened_index` ON `refunds` (`actor_id`,`reopened_at`) WHERE reopened_at IS NOT NULL;