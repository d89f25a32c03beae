-- expand
ALTER TABLE "order_lines" ADD COLUMN "shown" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "order_lines_to_fill_index" ON "order_lines" USING btree ("order_id","position") WHERE shown IS NULL AND variant_id IS NOT NULL;