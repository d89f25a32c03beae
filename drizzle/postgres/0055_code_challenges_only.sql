DROP TABLE "phone_codes" CASCADE;--> statement-breakpoint
ALTER TABLE "customer_codes" DROP COLUMN "code_hash";--> statement-breakpoint
ALTER TABLE "customer_codes" DROP COLUMN "tries";--> statement-breakpoint
ALTER TABLE "customer_codes" DROP COLUMN "expires_at";