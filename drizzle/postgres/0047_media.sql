CREATE TABLE "media" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"alt" text COLLATE "C" NOT NULL,
	"placeholder" text COLLATE "C" NOT NULL,
	"files" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_address" (
	"id" integer PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	CONSTRAINT "media_address_is_one_row" CHECK ("media_address"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "product_media" (
	"media_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "product_media_media_id_product_id_pk" PRIMARY KEY("media_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "product_media" ADD CONSTRAINT "product_media_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_media" ADD CONSTRAINT "product_media_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "media_sha256_unique" ON "media" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "product_media_product_index" ON "product_media" USING btree ("product_id");