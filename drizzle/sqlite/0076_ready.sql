-- expand
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
ALTER TABLE `fulfillments` ADD `cancelled_at` integer;--> statement-breakpoint
ALTER TABLE `fulfillments` ADD `cancel_note` text;