CREATE TABLE "collection_products" (
	"collection_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "collection_products_collection_id_position_pk" PRIMARY KEY("collection_id","position")
);
--> statement-breakpoint
CREATE TABLE "collection_slugs" (
	"slug" text COLLATE "C" PRIMARY KEY NOT NULL,
	"collection_id" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"image" text COLLATE "C",
	"rule" text COLLATE "C",
	"sort" text COLLATE "C" NOT NULL,
	"seo_title" text COLLATE "C",
	"seo_description" text COLLATE "C",
	"is_published" boolean NOT NULL,
	"parent_id" text COLLATE "C",
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "collection_products" ADD CONSTRAINT "collection_products_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_products" ADD CONSTRAINT "collection_products_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_slugs" ADD CONSTRAINT "collection_slugs_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "collection_products_product_unique" ON "collection_products" USING btree ("product_id","collection_id");--> statement-breakpoint
CREATE INDEX "collection_slugs_collection_index" ON "collection_slugs" USING btree ("collection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "collections_slug_unique" ON "collections" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "collections_parent_index" ON "collections" USING btree ("parent_id","id");