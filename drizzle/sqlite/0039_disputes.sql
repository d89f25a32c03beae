CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`order_id` text,
	`gateway` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text,
	`money` text NOT NULL,
	`due_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_name_unique` ON `disputes` (`gateway`,`name`);--> statement-breakpoint
CREATE INDEX `disputes_payment_index` ON `disputes` (`payment_id`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_status_index` ON `disputes` (`status`,`id`);