DROP INDEX "discount_uses_order_index";--> statement-breakpoint
DROP INDEX "discount_uses_customer_index";--> statement-breakpoint
DROP INDEX "discount_uses_code_index";--> statement-breakpoint
ALTER TABLE "discount_uses" DROP CONSTRAINT "discount_uses_discount_id_order_id_pk";--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_order_id_discount_id_pk" PRIMARY KEY("order_id","discount_id");--> statement-breakpoint
CREATE INDEX "discount_uses_discount_index" ON "discount_uses" USING btree ("discount_id","counted");--> statement-breakpoint
CREATE INDEX "discount_uses_code_index" ON "discount_uses" USING btree ("code") WHERE code IS NOT NULL;--> statement-breakpoint
DELETE FROM "discount_buyers" WHERE "discount_id" IN (SELECT "id" FROM "discounts" WHERE "per_customer_limit" IS NULL);
