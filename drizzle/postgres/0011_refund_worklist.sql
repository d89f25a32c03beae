ALTER TABLE "refunds" ADD COLUMN "attention" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "retried_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "closed_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "close_note" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "refunds_status_index" ON "refunds" USING btree ("status","id");--> statement-breakpoint
-- Until now only a gateway stopped a refund.
UPDATE refunds SET attention = 'gateway' WHERE status = 'needs_attention';
