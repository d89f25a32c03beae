ALTER TABLE "refunds" ADD COLUMN "actor_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "reopened_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "approval" text COLLATE "C";--> statement-breakpoint
UPDATE "refunds" SET "actor_id" = "lineage" WHERE "lineage" <> '';--> statement-breakpoint
CREATE INDEX "refunds_actor_index" ON "refunds" USING btree ("actor_id","created_at") WHERE actor_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "refunds_reopened_index" ON "refunds" USING btree ("actor_id","reopened_at") WHERE reopened_at IS NOT NULL;