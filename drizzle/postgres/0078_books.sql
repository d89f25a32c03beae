-- expand
ALTER TABLE "analytics_figures" ADD COLUMN "kept_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "written_off_of_sales_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "kept_taxes" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "given_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "kept_taxed" boolean DEFAULT true NOT NULL;