DROP INDEX "orders_strangers_index";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "is_strangers" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "order_lines" SET "is_strangers" = true WHERE "order_id" IN (SELECT "id" FROM "orders" WHERE "is_strangers");--> statement-breakpoint
CREATE INDEX "order_lines_strangers_index" ON "order_lines" USING btree ("variant_id","quantity","cancelled_quantity","fulfilled_quantity","is_strangers") WHERE is_strangers AND quantity > cancelled_quantity + fulfilled_quantity;