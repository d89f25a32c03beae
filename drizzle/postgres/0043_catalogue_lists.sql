CREATE TABLE "product_prices" (
	"product_id" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	CONSTRAINT "product_prices_product_id_currency_pk" PRIMARY KEY("product_id","currency")
);
--> statement-breakpoint
CREATE TABLE "product_slugs" (
	"slug" text COLLATE "C" PRIMARY KEY NOT NULL,
	"product_id" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "brand" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "seo_title" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "seo_description" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "name_key" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "product_prices" ADD CONSTRAINT "product_prices_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_slugs" ADD CONSTRAINT "product_slugs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_prices_amount_index" ON "product_prices" USING btree ("currency","amount_minor","product_id");--> statement-breakpoint
CREATE INDEX "product_slugs_product_index" ON "product_slugs" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "products_brand_index" ON "products" USING btree ("brand","id") WHERE brand IS NOT NULL;--> statement-breakpoint
CREATE INDEX "products_name_index" ON "products" USING btree ("name_key","id");--> statement-breakpoint
INSERT INTO "product_prices" ("product_id", "currency", "amount_minor")
	SELECT "product_id", "price" ->> 'currency', min(("price" ->> 'amountMinor')::bigint)
	FROM "variants", jsonb_array_elements("prices"::jsonb) AS "price" WHERE "archived_at" IS NULL GROUP BY 1, 2 ORDER BY 1, 2;