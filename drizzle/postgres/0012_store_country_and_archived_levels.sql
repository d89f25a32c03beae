ALTER TABLE "inventory_levels" ADD COLUMN "archived_at" bigint;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "country" text COLLATE "C";--> statement-breakpoint
UPDATE "inventory_levels" SET "archived_at" = (SELECT "archived_at" FROM "variants" WHERE "variants"."id" = "inventory_levels"."variant_id");