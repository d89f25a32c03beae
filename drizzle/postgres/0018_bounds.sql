ALTER TABLE "orders" ADD COLUMN "is_from_public_key" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "limits" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "enforce_limits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_phone_index" ON "payments" USING btree ("phone","created_at") WHERE phone IS NOT NULL;