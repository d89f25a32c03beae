ALTER TABLE "payments" ADD COLUMN "asked_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "asked_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "missed_at" bigint;--> statement-breakpoint
-- What exists may have been asked for: it is read before it is sent again.
UPDATE payments SET asked_at = created_at WHERE gateway IS NOT NULL;--> statement-breakpoint
UPDATE refunds SET asked_at = coalesce(retried_at, created_at)
WHERE NOT is_external AND payment_id IN (SELECT id FROM payments WHERE gateway IS NOT NULL);
