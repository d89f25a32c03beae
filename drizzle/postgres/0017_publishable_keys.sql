ALTER TABLE "customers" ADD COLUMN "is_unverified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_public" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_answers" ADD COLUMN "about" text COLLATE "C";--> statement-breakpoint
UPDATE "payments" SET "is_public" = true WHERE "reference" = "id";