-- expand
ALTER TABLE `fulfillments` ADD `cancelled_at` integer;--> statement-breakpoint
ALTER TABLE `fulfillments` ADD `cancel_note` text;