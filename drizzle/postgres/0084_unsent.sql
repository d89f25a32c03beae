-- expand
ALTER TABLE "fulfillments" ADD COLUMN "cancelled_at" bigint;--> statement-breakpoint
ALTER TABLE "fulfillments" ADD COLUMN "cancel_note" text COLLATE "C";