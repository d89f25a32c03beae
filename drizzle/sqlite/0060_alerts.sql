CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`entry_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`hour` integer NOT NULL,
	`person_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`message_id` text,
	`sent_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_once_unique` ON `alerts` (`kind`,`subject`,`hour`,`person_id`);--> statement-breakpoint
CREATE INDEX `alerts_person_index` ON `alerts` (`person_id`,`id`);--> statement-breakpoint
CREATE TABLE `person_email_links` (
	`person_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `people` ADD `email` text;--> statement-breakpoint
ALTER TABLE `people` ADD `email_verified_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `people_email_unique` ON `people` (`email`);