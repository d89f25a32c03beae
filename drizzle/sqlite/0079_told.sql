-- contract
CREATE TABLE `connections` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed_value` text NOT NULL,
	`display` text NOT NULL,
	`set_at` integer NOT NULL,
	`set_by` text,
	`version` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`session_id` text NOT NULL,
	`endpoint_hash` text NOT NULL,
	`sealed_terms` text NOT NULL,
	`device` text NOT NULL,
	`failures` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_ok_at` integer,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint_unique` ON `push_subscriptions` (`endpoint_hash`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_person_index` ON `push_subscriptions` (`person_id`,`id`);--> statement-breakpoint
DROP INDEX `alerts_once_unique`;--> statement-breakpoint
ALTER TABLE `alerts` ADD `event_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `channel` text DEFAULT 'email' NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `subscription_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `count` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `gathers_until` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_once_unique` ON `alerts` (`event_id`,`kind`,`subject`,`hour`,`person_id`,`channel`,`subscription_id`);--> statement-breakpoint
ALTER TABLE `people` ADD `alerts` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `summary_at` text DEFAULT '20:00' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `recovery_by_email` integer DEFAULT true NOT NULL;