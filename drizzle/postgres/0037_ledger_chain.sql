ALTER TABLE "inventory_levels" ADD COLUMN "last_movement_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "inventory_levels" ADD COLUMN "previous_movement_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "inventory_movements" ADD COLUMN "previous_id" text COLLATE "C";--> statement-breakpoint
UPDATE "inventory_movements" SET "previous_id" = "chain"."previous_id" FROM (
	SELECT "id", "variant_id", lag("id") OVER (PARTITION BY "variant_id" ORDER BY "id") AS "previous_id" FROM "inventory_movements"
) AS "chain" WHERE "chain"."variant_id" = "inventory_movements"."variant_id" AND "chain"."id" = "inventory_movements"."id";--> statement-breakpoint
UPDATE "inventory_levels" SET "last_movement_id" = "newest"."id", "previous_movement_id" = "newest"."previous_id" FROM (
	SELECT DISTINCT ON ("variant_id") "variant_id", "id", "previous_id" FROM "inventory_movements" ORDER BY "variant_id", "id" DESC
) AS "newest" WHERE "newest"."variant_id" = "inventory_levels"."variant_id";--> statement-breakpoint
ALTER TABLE "inventory_movements" DROP CONSTRAINT "inventory_movements_variant_id_id_pk";--> statement-breakpoint
ALTER TABLE "inventory_movements" ADD PRIMARY KEY ("id");