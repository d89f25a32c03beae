CREATE TABLE `sign_in_guesses` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`last_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_guesses_last_index` ON `sign_in_guesses` (`last_at`);--> statement-breakpoint
CREATE TABLE `known_devices` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_devices_person_index` ON `known_devices` (`person_id`);--> statement-breakpoint
CREATE TABLE `person_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`kind` text NOT NULL,
	`role` text,
	`person_id` text,
	`made_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`made_by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `person_links_token_unique` ON `person_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `person_links_person_index` ON `person_links` (`person_id`);--> statement-breakpoint
CREATE INDEX `person_links_maker_index` ON `person_links` (`made_by`);--> statement-breakpoint
CREATE TABLE `person_passwords` (
	`person_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`failures` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `person_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`confirmed_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`is_brief` integer NOT NULL,
	`device` text NOT NULL,
	`network` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `person_sessions_token_unique` ON `person_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `person_sessions_person_index` ON `person_sessions` (`person_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text,
	`role` text NOT NULL,
	`removed_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `people_name_key_unique` ON `people` (`name_key`);--> statement-breakpoint
CREATE INDEX `orders_to_pack_index` ON `orders` (`status`,`id`) WHERE status = 'open' AND fulfillment_status <> 'fulfilled' AND (payment_status IN ('paid', 'overpaid', 'partially_refunded') OR (payment_method IN ('cash_on_delivery', 'cash') AND payment_status <> 'refunded' AND (deposit_percent = 100 OR payment_status = 'partially_paid')));