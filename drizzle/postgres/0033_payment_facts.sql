ALTER TABLE "payments" ADD COLUMN "fee_minor" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "channel" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "instrument" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_at" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returned_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "simulated_charges" ADD COLUMN "channel" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "simulated_charges" ADD COLUMN "instrument" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "simulated_charges" ADD COLUMN "decided_at" bigint;