CREATE TABLE "discount_codes" (
	"code" text COLLATE "C" PRIMARY KEY NOT NULL,
	"discount_id" text COLLATE "C" NOT NULL,
	"usage_limit" integer,
	"used_count" integer NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "discount_codes_used_count_not_negative" CHECK ("discount_codes"."used_count" >= 0),
	CONSTRAINT "discount_codes_used_within_limit" CHECK ("discount_codes"."usage_limit" IS NULL OR "discount_codes"."used_count" <= "discount_codes"."usage_limit")
);
--> statement-breakpoint
CREATE TABLE "discount_buyers" (
	"discount_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"uses" integer NOT NULL,
	CONSTRAINT "discount_buyers_discount_id_customer_id_pk" PRIMARY KEY("discount_id","customer_id"),
	CONSTRAINT "discount_buyers_uses_not_negative" CHECK ("discount_buyers"."uses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"discount_id" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C" NOT NULL,
	"code" text COLLATE "C",
	"customer_id" text COLLATE "C",
	"counted" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "discount_uses_discount_id_order_id_pk" PRIMARY KEY("discount_id","order_id")
);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"terms" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C",
	"minimum" text COLLATE "C" NOT NULL,
	"is_automatic" boolean NOT NULL,
	"is_stackable" boolean NOT NULL,
	"usage_limit" integer,
	"per_customer_limit" integer,
	"customer_tags" text COLLATE "C" NOT NULL,
	"used_count" integer NOT NULL,
	"starts_at" bigint,
	"ends_at" bigint,
	"archived_at" bigint,
	"metadata" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "discounts_used_count_not_negative" CHECK ("discounts"."used_count" >= 0),
	CONSTRAINT "discounts_used_within_limit" CHECK ("discounts"."usage_limit" IS NULL OR "discounts"."used_count" <= "discounts"."usage_limit")
);
--> statement-breakpoint
CREATE TABLE "pickup_locations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"instructions" text COLLATE "C",
	"amounts" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipping_rates" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"zone_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"tiers" text COLLATE "C" NOT NULL,
	"free_over" text COLLATE "C" NOT NULL,
	"min_days" integer,
	"max_days" integer,
	"active" boolean NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "shipping_rates_min_days_not_negative" CHECK ("shipping_rates"."min_days" >= 0),
	CONSTRAINT "shipping_rates_days_in_order" CHECK ("shipping_rates"."max_days" >= "shipping_rates"."min_days")
);
--> statement-breakpoint
CREATE TABLE "shipping_zones" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"places" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tax_rates" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"country" text COLLATE "C" NOT NULL,
	"region" text COLLATE "C",
	"region_key" text COLLATE "C" NOT NULL,
	"tax_class" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"millionths" integer NOT NULL,
	"valid_from" bigint NOT NULL,
	"valid_until" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "tax_rates_millionths_in_range" CHECK ("tax_rates"."millionths" BETWEEN 0 AND 1000000),
	CONSTRAINT "tax_rates_end_after_start" CHECK ("tax_rates"."valid_until" >= "tax_rates"."valid_from")
);
--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "included_tax_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "refunded_tax_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "abandoned_discounted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "tax_class" text COLLATE "C" DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "requires_shipping" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "tax_exemption" text COLLATE "C" DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "shipping_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "taxes" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "shipping_option_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "discount_codes" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "applied_codes" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "breakdown" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "breakdown" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "prices_include_tax" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "shipping_tax" text COLLATE "C" DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "legal_name" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "tax_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "default_weight_grams" integer;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "has_price_terms" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "discounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_buyers" ADD CONSTRAINT "discount_buyers_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipping_rates" ADD CONSTRAINT "shipping_rates_zone_id_shipping_zones_id_fk" FOREIGN KEY ("zone_id") REFERENCES "shipping_zones"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "discount_codes_discount_index" ON "discount_codes" USING btree ("discount_id","code");--> statement-breakpoint
CREATE INDEX "discount_uses_order_index" ON "discount_uses" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "discount_uses_code_index" ON "discount_uses" USING btree ("code");--> statement-breakpoint
CREATE INDEX "discount_uses_customer_index" ON "discount_uses" USING btree ("discount_id","customer_id");--> statement-breakpoint
CREATE INDEX "discounts_automatic_index" ON "discounts" USING btree ("is_automatic","archived_at","id");--> statement-breakpoint
CREATE INDEX "shipping_rates_zone_index" ON "shipping_rates" USING btree ("zone_id","id");--> statement-breakpoint
CREATE INDEX "tax_rates_country_index" ON "tax_rates" USING btree ("country","id");--> statement-breakpoint
CREATE INDEX "tax_rates_class_index" ON "tax_rates" USING btree ("tax_class");