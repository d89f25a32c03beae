-- contract
CREATE TABLE "receiving_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"method" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"instructions" text COLLATE "C" NOT NULL,
	"currencies" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"position" integer NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "receiving_accounts_position_index" ON "receiving_accounts" USING btree ("position","id");--> statement-breakpoint
INSERT INTO "shipping_rates" ("id", "zone_id", "name", "kind", "tiers", "free_over", "min_days", "max_days", "active", "metadata", "version", "created_at", "updated_at")
SELECT 'shr_' || substr("id", 5), "id", 'Delivery', 'flat',
	json_build_array(json_build_object('from', 0, 'amounts', (SELECT json_agg(json_build_object('currency', "currency", 'amountMinor', 0)) FROM (SELECT "currency" FROM "store" UNION SELECT "currency" FROM "product_prices") AS "priced")))::text,
	'[]', NULL, NULL, true, '{}', 1, "updated_at", "updated_at"
FROM "shipping_zones" WHERE NOT EXISTS (SELECT 1 FROM "shipping_rates" WHERE "active");
