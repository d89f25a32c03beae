ALTER TABLE "store" ADD COLUMN "price_terms_version" text COLLATE "C";--> statement-breakpoint
UPDATE "store" SET "price_terms_version" = gen_random_uuid()::text WHERE "has_price_terms";
