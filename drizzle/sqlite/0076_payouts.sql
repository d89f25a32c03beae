-- expand
CREATE TABLE `payout_lines` (
	`payout_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`reference` text,
	`payment_id` text,
	`refund_id` text,
	`dispute_id` text,
	`gross_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`verdict` text NOT NULL,
	PRIMARY KEY(`payout_id`, `position`),
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`gross_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`net_minor` integer NOT NULL,
	`into` text NOT NULL,
	`arrived_on` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "payouts_net" CHECK("payouts"."net_minor" = "payouts"."gross_minor" - "payouts"."fee_minor")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_name_unique` ON `payouts` (`source`,`name`);--> statement-breakpoint
ALTER TABLE `payments` ADD `payout_id` text;--> statement-breakpoint
CREATE INDEX `payments_unpaid_out_index` ON `payments` (`gateway`,`succeeded_at`) WHERE payout_id IS NULL AND gateway IS NOT NULL AND succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_paid_out_index` ON `payments` (`gateway`,`succeeded_at`) WHERE payout_id IS NOT NULL;