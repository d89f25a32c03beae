ALTER TABLE `refunds` ADD `attention` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `retried_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `close_note` text;--> statement-breakpoint
CREATE INDEX `refunds_status_index` ON `refunds` (`status`,`id`);--> statement-breakpoint
-- Until now only a gateway stopped a refund.
UPDATE refunds SET attention = 'gateway' WHERE status = 'needs_attention';
