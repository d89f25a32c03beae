-- expand
ALTER TABLE "payments" ADD COLUMN "received_on" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "transaction_reference" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "note" text COLLATE "C";