-- contract
CREATE TABLE "search_rebuilds" (
	"kind" text COLLATE "C" PRIMARY KEY NOT NULL,
	"after" text COLLATE "C" NOT NULL,
	"done" integer NOT NULL,
	"total" integer NOT NULL
);--> statement-breakpoint
DELETE FROM "search_spellings";--> statement-breakpoint
INSERT INTO "search_rebuilds" ("kind", "after", "done", "total")
SELECT 'products', '', 0, count(*) FROM "products" HAVING count(*) > 0;--> statement-breakpoint
INSERT INTO "search_rebuilds" ("kind", "after", "done", "total")
SELECT 'customers', '', 0, count(*) FROM "customers" WHERE "erased_at" IS NULL HAVING count(*) > 0;
