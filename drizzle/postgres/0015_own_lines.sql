ALTER TABLE "order_lines" ALTER COLUMN "variant_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ALTER COLUMN "product_id" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "order_lines_product_index" ON "order_lines" USING btree ("product_id","order_id");--> statement-breakpoint
CREATE INDEX "order_lines_sku_index" ON "order_lines" USING btree ("sku","order_id") WHERE sku IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_payment_method_index" ON "orders" USING btree ("payment_method","id");--> statement-breakpoint
CREATE INDEX "orders_updated_week_index" ON "orders" USING btree ((updated_at / 604800000),"id","updated_at");--> statement-breakpoint
CREATE INDEX "orders_paid_week_index" ON "orders" USING btree ((paid_at / 604800000),"id","paid_at") WHERE paid_at IS NOT NULL;