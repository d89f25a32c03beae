ALTER TABLE `payments` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `missed_at` integer;--> statement-breakpoint
-- What exists may have been asked for: it is read before it is sent again.
UPDATE payments SET asked_at = created_at WHERE gateway IS NOT NULL;--> statement-breakpoint
UPDATE refunds SET asked_at = coalesce(retried_at, created_at)
WHERE NOT is_external AND payment_id IN (SELECT id FROM payments WHERE gateway IS NOT NULL);
