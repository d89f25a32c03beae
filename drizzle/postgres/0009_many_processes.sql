CREATE TABLE "analytics_buyers" (
	"scope" integer NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"last_quarter" integer NOT NULL,
	CONSTRAINT "analytics_buyers_scope_customer_id_pk" PRIMARY KEY("scope","customer_id")
);
--> statement-breakpoint
CREATE TABLE "analytics_checkouts" (
	"subject" text COLLATE "C" PRIMARY KEY NOT NULL,
	"is_left" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_figures" (
	"scope" integer NOT NULL,
	"level" integer NOT NULL,
	"bucket" integer NOT NULL,
	"placed" integer NOT NULL,
	"paid" integer NOT NULL,
	"fulfilled" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"expired" integer NOT NULL,
	"units_sold" bigint NOT NULL,
	"gross_minor" bigint NOT NULL,
	"discount_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	"shipping_minor" bigint NOT NULL,
	"tax_minor" bigint NOT NULL,
	"started" integer NOT NULL,
	"abandoned" integer NOT NULL,
	"recovered" integer NOT NULL,
	"recovered_minor" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "analytics_figures_scope_level_bucket_pk" PRIMARY KEY("scope","level","bucket")
);
--> statement-breakpoint
CREATE TABLE "analytics_names" (
	"number" integer PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C",
	"sku" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "analytics_parts" (
	"scope" integer NOT NULL,
	"level" integer NOT NULL,
	"bucket" integer NOT NULL,
	"kind" integer NOT NULL,
	"part" integer NOT NULL,
	"owner" integer NOT NULL,
	"count" integer NOT NULL,
	"units" bigint NOT NULL,
	"gross_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	CONSTRAINT "analytics_parts_scope_level_bucket_kind_part_pk" PRIMARY KEY("scope","level","bucket","kind","part")
);
--> statement-breakpoint
CREATE TABLE "analytics_purchases" (
	"scope" integer NOT NULL,
	"level" integer NOT NULL,
	"bucket" integer NOT NULL,
	"previous" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "analytics_purchases_scope_level_bucket_previous_pk" PRIMARY KEY("scope","level","bucket","previous")
);
--> statement-breakpoint
CREATE TABLE "analytics_refunded" (
	"order_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"refunded_minor" bigint NOT NULL,
	CONSTRAINT "analytics_refunded_not_negative" CHECK ("analytics_refunded"."refunded_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "analytics_scopes" (
	"number" integer PRIMARY KEY NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cart_recovery" (
	"id" integer PRIMARY KEY NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"public_url" text COLLATE "C" NOT NULL,
	CONSTRAINT "cart_recovery_is_one_row" CHECK ("cart_recovery"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "carts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"email" text COLLATE "C",
	"phone" text COLLATE "C",
	"name" text COLLATE "C",
	"currency" text COLLATE "C" NOT NULL,
	"lines" text COLLATE "C" NOT NULL,
	"remembered" text COLLATE "C" NOT NULL,
	"payment_method" text COLLATE "C",
	"shipping_address" text COLLATE "C",
	"metadata" text COLLATE "C" NOT NULL,
	"recovery_url" text COLLATE "C",
	"order_id" text COLLATE "C",
	"checkout_started_at" bigint,
	"expires_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "carts_completed_is_an_order" CHECK (("carts"."status" = 'completed') = ("carts"."order_id" IS NOT NULL)),
	CONSTRAINT "carts_checkout_has_begun" CHECK ("carts"."status" <> 'checkout' OR "carts"."checkout_started_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "customer_tags" (
	"tag" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "customer_tags_tag_customer_id_pk" PRIMARY KEY("tag","customer_id")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C",
	"phone" text COLLATE "C",
	"name" text COLLATE "C",
	"first_name" text COLLATE "C",
	"last_name" text COLLATE "C",
	"addresses" text COLLATE "C" NOT NULL,
	"marketing_consent" boolean NOT NULL,
	"tags" text COLLATE "C" NOT NULL,
	"metadata" text COLLATE "C" NOT NULL,
	"orders_count" integer NOT NULL,
	"erased_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "customers_orders_count_not_negative" CHECK ("customers"."orders_count" >= 0),
	CONSTRAINT "customers_reachable" CHECK ("customers"."email" IS NOT NULL OR "customers"."phone" IS NOT NULL OR "customers"."erased_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "inventory_levels" (
	"variant_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"sku" text COLLATE "C",
	"on_hand" bigint NOT NULL,
	"reserved" bigint NOT NULL,
	"low_stock_threshold" integer NOT NULL,
	"tracked" boolean NOT NULL,
	"backorder" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "inventory_levels_on_hand_not_negative" CHECK ("inventory_levels"."on_hand" >= 0),
	CONSTRAINT "inventory_levels_reserved_not_negative" CHECK ("inventory_levels"."reserved" >= 0),
	CONSTRAINT "inventory_levels_threshold_not_negative" CHECK ("inventory_levels"."low_stock_threshold" >= 0)
);
--> statement-breakpoint
CREATE TABLE "inventory_movements" (
	"id" text COLLATE "C" NOT NULL,
	"variant_id" text COLLATE "C" NOT NULL,
	"delta_on_hand" bigint NOT NULL,
	"delta_reserved" bigint NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C",
	"note" text COLLATE "C",
	"actor" text COLLATE "C" NOT NULL,
	"balance_on_hand" bigint NOT NULL,
	"balance_reserved" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "inventory_movements_variant_id_id_pk" PRIMARY KEY("variant_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_key_changes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"display" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"rate_per_minute" integer,
	"expires_at" bigint,
	"revoked_at" bigint,
	"last_used_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fulfillments" (
	"order_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"lines" text COLLATE "C" NOT NULL,
	"tracking" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "fulfillments_order_id_id_pk" PRIMARY KEY("order_id","id")
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"order_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"variant_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"sku" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"quantity" integer NOT NULL,
	"fulfilled_quantity" integer NOT NULL,
	"unit_price_minor" bigint NOT NULL,
	"subtotal_minor" bigint NOT NULL,
	"discount_minor" bigint NOT NULL,
	"tax_minor" bigint NOT NULL,
	"total_minor" bigint NOT NULL,
	CONSTRAINT "order_lines_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_lines_quantity_positive" CHECK ("order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_fulfilled_within_quantity" CHECK ("order_lines"."fulfilled_quantity" BETWEEN 0 AND "order_lines"."quantity"),
	CONSTRAINT "order_lines_subtotal" CHECK ("order_lines"."subtotal_minor" = "order_lines"."unit_price_minor" * "order_lines"."quantity"),
	CONSTRAINT "order_lines_total_adds_up" CHECK ("order_lines"."total_minor" = "order_lines"."subtotal_minor" - "order_lines"."discount_minor" + "order_lines"."tax_minor")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"payment_status" text COLLATE "C" NOT NULL,
	"fulfillment_status" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"customer" text COLLATE "C",
	"payment_method" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"cart_id" text COLLATE "C",
	"shipping_address" text COLLATE "C",
	"billing_address" text COLLATE "C",
	"notes" text COLLATE "C",
	"metadata" text COLLATE "C" NOT NULL,
	"shipping_label" text COLLATE "C",
	"cancel_reason" text COLLATE "C",
	"cancel_note" text COLLATE "C",
	"subtotal_minor" bigint NOT NULL,
	"discount_minor" bigint NOT NULL,
	"shipping_minor" bigint NOT NULL,
	"tax_minor" bigint NOT NULL,
	"total_minor" bigint NOT NULL,
	"paid_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	"open_attempts" integer NOT NULL,
	"paid_at" bigint,
	"fulfilled_at" bigint,
	"cancelled_at" bigint,
	"expires_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "orders_total_adds_up" CHECK ("orders"."total_minor" = "orders"."subtotal_minor" - "orders"."discount_minor" + "orders"."shipping_minor" + "orders"."tax_minor"),
	CONSTRAINT "orders_refunded_within_paid" CHECK ("orders"."refunded_minor" BETWEEN 0 AND "orders"."paid_minor"),
	CONSTRAINT "orders_open_attempts_not_negative" CHECK ("orders"."open_attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "simulated_charges" (
	"gateway_reference" text COLLATE "C" PRIMARY KEY NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"reference" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C",
	"amount_minor" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"return_url" text COLLATE "C",
	"script" text COLLATE "C" NOT NULL,
	"page_token" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C",
	"failure_code" text COLLATE "C",
	"gateway_code" text COLLATE "C",
	"arrived_at" bigint,
	"pushes" integer NOT NULL,
	CONSTRAINT "simulated_charges_amount_not_negative" CHECK ("simulated_charges"."amount_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "simulated_refunds" (
	"refund_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"gateway_reference" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"gateway_code" text COLLATE "C",
	CONSTRAINT "simulated_refunds_amount_positive" CHECK ("simulated_refunds"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "gateway_notices" (
	"gateway" text COLLATE "C" NOT NULL,
	"dedup_key" text COLLATE "C" NOT NULL,
	"topic" text COLLATE "C" NOT NULL,
	"gateway_reference" text COLLATE "C",
	"is_ignored" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "gateway_notices_gateway_dedup_key_pk" PRIMARY KEY("gateway","dedup_key")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"reference" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C",
	"customer_id" text COLLATE "C",
	"method" text COLLATE "C" NOT NULL,
	"gateway" text COLLATE "C",
	"gateway_reference" text COLLATE "C",
	"attempt_number" integer NOT NULL,
	"gateway_id" text COLLATE "C",
	"amount_minor" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"received_minor" bigint,
	"received_currency" text COLLATE "C",
	"captured_minor" bigint NOT NULL,
	"refunding_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	"phone" text COLLATE "C",
	"provider" text COLLATE "C",
	"card_token" text COLLATE "C",
	"email" text COLLATE "C",
	"return_url" text COLLATE "C",
	"next_action" text COLLATE "C",
	"failure_code" text COLLATE "C",
	"gateway_code" text COLLATE "C",
	"is_unknown" boolean NOT NULL,
	"not_found_looks" integer NOT NULL,
	"looked_at" bigint NOT NULL,
	"metadata" text COLLATE "C" NOT NULL,
	"idempotency_key" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"expires_at" bigint,
	"succeeded_at" bigint,
	"failed_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "payments_amount_positive" CHECK ("payments"."amount_minor" > 0),
	CONSTRAINT "payments_refunded_within_refunding" CHECK ("payments"."refunded_minor" <= "payments"."refunding_minor"),
	CONSTRAINT "payments_refunding_within_received" CHECK ("payments"."refunding_minor" >= 0 AND ("payments"."refunding_minor" <= "payments"."captured_minor" OR "payments"."refunding_minor" <= coalesce("payments"."received_minor", 0)))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"lines" text COLLATE "C" NOT NULL,
	"is_automatic" boolean NOT NULL,
	"gateway_refund_id" text COLLATE "C",
	"gateway_code" text COLLATE "C",
	"is_unknown" boolean NOT NULL,
	"idempotency_key" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"succeeded_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "counters_value_not_negative" CHECK ("counters"."value" >= 0)
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"request_id" text COLLATE "C",
	"data" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_cursors" (
	"consumer" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	CONSTRAINT "log_cursors_sequence_not_negative" CHECK ("log_cursors"."sequence" >= 0)
);
--> statement-breakpoint
CREATE TABLE "rate_uses" (
	"window" text COLLATE "C" NOT NULL,
	"second" bigint NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "rate_uses_window_second_holder_pk" PRIMARY KEY("window","second","holder")
);
--> statement-breakpoint
CREATE TABLE "shop_clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL,
	CONSTRAINT "shop_clock_is_one" CHECK ("shop_clock"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "stored_answers" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"status" integer NOT NULL,
	"headers" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "timers" (
	"name" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"due_at" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"last_error" text COLLATE "C",
	CONSTRAINT "timers_name_subject_pk" PRIMARY KEY("name","subject")
);
--> statement-breakpoint
CREATE TABLE "vault_marks" (
	"id" integer PRIMARY KEY NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	CONSTRAINT "vault_marks_is_one" CHECK ("vault_marks"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "product_tags" (
	"tag" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "product_tags_tag_product_id_pk" PRIMARY KEY("tag","product_id")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"category" text COLLATE "C",
	"tags" text COLLATE "C" NOT NULL,
	"images" text COLLATE "C" NOT NULL,
	"options" text COLLATE "C" NOT NULL,
	"metadata" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "variants" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"sku" text COLLATE "C",
	"barcode" text COLLATE "C",
	"title" text COLLATE "C" NOT NULL,
	"options" text COLLATE "C" NOT NULL,
	"prices" text COLLATE "C" NOT NULL,
	"weight_grams" integer,
	"metadata" text COLLATE "C" NOT NULL,
	"first_sold_at" bigint,
	"archived_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "variants_weight_not_negative" CHECK ("variants"."weight_grams" >= 0)
);
--> statement-breakpoint
CREATE TABLE "inbox_messages" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"received_at" bigint NOT NULL,
	"headers" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"webhook_id" text COLLATE "C",
	"answered_status" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"timezone" text COLLATE "C" NOT NULL,
	"low_stock_threshold" integer NOT NULL,
	"order_expiry_minutes" integer,
	"recovery_url_template" text COLLATE "C",
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "store_low_stock_threshold_not_negative" CHECK ("store"."low_stock_threshold" >= 0),
	CONSTRAINT "store_order_expiry_positive" CHECK ("store"."order_expiry_minutes" > 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"trigger" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"started_at" bigint NOT NULL,
	"duration_ms" integer,
	"response_status" integer,
	"failure" text COLLATE "C",
	"address" text COLLATE "C",
	"excerpt" text COLLATE "C" NOT NULL,
	"next_at" bigint,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"endpoint_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event_name" text COLLATE "C" NOT NULL,
	"sequence" bigint,
	"is_replay" boolean NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" bigint,
	"claim" text COLLATE "C",
	"claimed_at" bigint,
	"created_at" bigint NOT NULL,
	"finished_at" bigint,
	CONSTRAINT "webhook_deliveries_due_while_pending" CHECK (("webhook_deliveries"."status" = 'pending') = ("webhook_deliveries"."next_at" IS NOT NULL)),
	CONSTRAINT "webhook_deliveries_claimed_while_sending" CHECK (("webhook_deliveries"."status" = 'sending') = ("webhook_deliveries"."claim" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "webhook_replays" (
	"endpoint_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"after" bigint NOT NULL,
	"until" bigint NOT NULL,
	"names" text COLLATE "C",
	"failed_only" boolean NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_health" (
	"endpoint_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"failures_in_row" integer NOT NULL,
	"failing_since" bigint,
	"last_success_at" bigint
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"disabled_reason" text COLLATE "C",
	"disabled_at" bigint,
	"starts_after" bigint NOT NULL,
	"sealed_secret" text COLLATE "C" NOT NULL,
	"sealed_old_secret" text COLLATE "C",
	"old_secret_expires_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_tags" ADD CONSTRAINT "customer_tags_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fulfillments" ADD CONSTRAINT "fulfillments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_tags" ADD CONSTRAINT "product_tags_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_names_unique" ON "analytics_names" USING btree ("name","kind");--> statement-breakpoint
CREATE INDEX "analytics_purchases_previous_index" ON "analytics_purchases" USING btree ("scope","previous","bucket") WHERE level = 1;--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_scopes_unique" ON "analytics_scopes" USING btree ("currency","channel");--> statement-breakpoint
CREATE INDEX "carts_status_index" ON "carts" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "carts_customer_index" ON "carts" USING btree ("customer_id","id") WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "customer_tags_customer_index" ON "customer_tags" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_email_unique" ON "customers" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_phone_unique" ON "customers" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "inventory_levels_product_index" ON "inventory_levels" USING btree ("product_id","variant_id");--> statement-breakpoint
CREATE INDEX "inventory_levels_sku_index" ON "inventory_levels" USING btree ("sku");--> statement-breakpoint
CREATE INDEX "inventory_levels_low_index" ON "inventory_levels" USING btree ("tracked","variant_id") WHERE tracked AND low_stock_threshold > on_hand - reserved;--> statement-breakpoint
CREATE INDEX "api_key_changes_key_index" ON "api_key_changes" USING btree ("key_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash_unique" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number_unique" ON "orders" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_external_id_unique" ON "orders" USING btree ("external_id") WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_status_index" ON "orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "orders_payment_status_index" ON "orders" USING btree ("payment_status","id");--> statement-breakpoint
CREATE INDEX "orders_fulfillment_status_index" ON "orders" USING btree ("fulfillment_status","id");--> statement-breakpoint
CREATE INDEX "orders_channel_index" ON "orders" USING btree ("channel","id");--> statement-breakpoint
CREATE INDEX "orders_customer_index" ON "orders" USING btree ("customer_id","id") WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "simulated_charges_page_unique" ON "simulated_charges" USING btree ("page_token");--> statement-breakpoint
CREATE INDEX "simulated_charges_payment_index" ON "simulated_charges" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "simulated_refunds_charge_index" ON "simulated_refunds" USING btree ("gateway_reference");--> statement-breakpoint
CREATE INDEX "gateway_notices_created_index" ON "gateway_notices" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference_unique" ON "payments" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_idempotency_key_unique" ON "payments" USING btree ("idempotency_key") WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_gateway_reference_unique" ON "payments" USING btree ("gateway_reference") WHERE gateway_reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_order_index" ON "payments" USING btree ("order_id","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_status_index" ON "payments" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "payments_method_index" ON "payments" USING btree ("method","id");--> statement-breakpoint
CREATE INDEX "refunds_payment_index" ON "refunds" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "refunds_order_index" ON "refunds" USING btree ("order_id","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "refunds_idempotency_key_index" ON "refunds" USING btree ("idempotency_key") WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_automatic_unique" ON "refunds" USING btree ("payment_id") WHERE is_automatic;--> statement-breakpoint
CREATE UNIQUE INDEX "events_sequence_unique" ON "events" USING btree ("sequence");--> statement-breakpoint
CREATE INDEX "events_name_index" ON "events" USING btree ("name","sequence");--> statement-breakpoint
CREATE INDEX "events_subject_index" ON "events" USING btree ("subject","sequence");--> statement-breakpoint
CREATE INDEX "rate_uses_second_index" ON "rate_uses" USING btree ("second");--> statement-breakpoint
CREATE INDEX "stored_answers_created_index" ON "stored_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "timers_due_index" ON "timers" USING btree ("due_at","name","subject");--> statement-breakpoint
CREATE INDEX "product_tags_product_index" ON "product_tags" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_slug_unique" ON "products" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "products_status_index" ON "products" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "products_category_index" ON "products" USING btree ("category","id");--> statement-breakpoint
CREATE UNIQUE INDEX "variants_sku_unique" ON "variants" USING btree ("sku");--> statement-breakpoint
CREATE INDEX "variants_product_index" ON "variants" USING btree ("product_id","position");--> statement-breakpoint
CREATE INDEX "inbox_messages_name_index" ON "inbox_messages" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_index" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_index" ON "webhook_deliveries" USING btree ("endpoint_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_index" ON "webhook_deliveries" USING btree ("endpoint_id","is_replay","next_at","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claim_index" ON "webhook_deliveries" USING btree ("claim") WHERE status = 'sending';
--> statement-breakpoint
-- The full-text index: the folded words of each document, made by the program and no parser of the engine's.
CREATE TABLE "search_documents" (
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"words" tsvector NOT NULL,
	CONSTRAINT "search_documents_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE INDEX "search_documents_words_index" ON "search_documents" USING gin ("words");
