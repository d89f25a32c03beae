ALTER TABLE "products" ADD COLUMN "related_product_ids" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "image" text COLLATE "C";