-- contract
CREATE TABLE "product_indexing" (
	"id" integer PRIMARY KEY NOT NULL,
	"after" text COLLATE "C" NOT NULL,
	CONSTRAINT "product_indexing_is_one_row" CHECK ("product_indexing"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "variant_options" (
	"name_key" text COLLATE "C" NOT NULL,
	"value_key" text COLLATE "C" NOT NULL,
	"variant_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "variant_options_name_key_value_key_variant_id_pk" PRIMARY KEY("name_key","value_key","variant_id")
);
--> statement-breakpoint
ALTER TABLE "variant_options" ADD CONSTRAINT "variant_options_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "variant_options_product_index" ON "variant_options" USING btree ("product_id","name_key","value_key","name","value");--> statement-breakpoint
INSERT INTO "product_indexing" ("id", "after") SELECT 1, '' WHERE EXISTS (SELECT 1 FROM "products");