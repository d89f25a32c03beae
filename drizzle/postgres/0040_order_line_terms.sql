CREATE TABLE "order_line_terms" (
	"term" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "order_line_terms_term_order_id_pk" PRIMARY KEY("term","order_id")
);
--> statement-breakpoint
INSERT INTO "log_cursors" ("consumer", "sequence") SELECT 'order_line_terms', max("sequence") FROM "events" HAVING count(*) > 0;--> statement-breakpoint
INSERT INTO "order_line_terms" ("term", "order_id") SELECT DISTINCT "term", "order_id" FROM (
	SELECT "product_id" AS "term", "order_id" FROM "order_lines" WHERE "product_id" IS NOT NULL
	UNION ALL SELECT "sku", "order_id" FROM "order_lines" WHERE "sku" IS NOT NULL
) AS "terms" ORDER BY "term", "order_id";--> statement-breakpoint
DROP INDEX "order_lines_product_index";--> statement-breakpoint
DROP INDEX "order_lines_sku_index";