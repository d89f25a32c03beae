-- contract
DROP INDEX "orders_status_index";--> statement-breakpoint
DROP INDEX "orders_payment_status_index";--> statement-breakpoint
DROP INDEX "orders_open_payment_index";--> statement-breakpoint
DROP INDEX "orders_fulfillment_status_index";--> statement-breakpoint
DROP INDEX "orders_channel_index";--> statement-breakpoint
DROP INDEX "orders_payment_method_index";--> statement-breakpoint
DROP INDEX "orders_to_pack_index";--> statement-breakpoint
CREATE INDEX "orders_kind_index" ON "orders" USING btree ((status || ' ' || payment_status || ' ' || fulfillment_status || CASE WHEN status = 'open' AND fulfillment_status <> 'fulfilled' AND ((payment_status = 'paid' OR payment_status = 'overpaid' OR payment_status = 'partially_refunded') OR ((payment_method = 'cash_on_delivery' OR payment_method = 'cash') AND payment_status <> 'refunded' AND (deposit_percent = 100 OR payment_status = 'partially_paid'))) THEN ' pack' ELSE '' END),"id");