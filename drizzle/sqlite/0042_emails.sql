CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`template` text NOT NULL,
	`order_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`message_id` text,
	`sent_at` integer,
	`resent_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_event_unique` ON `emails` (`event_id`,`template`);--> statement-breakpoint
CREATE INDEX `emails_order_index` ON `emails` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `emails_status_index` ON `emails` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `emails_template_index` ON `emails` (`template`,`id`);--> statement-breakpoint
ALTER TABLE `store` ADD `notifications` text DEFAULT '{}' NOT NULL;