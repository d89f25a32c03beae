-- contract
CREATE TABLE "search_spellings" (
	"key" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "search_spellings_key_word_pk" PRIMARY KEY("key","word")
);--> statement-breakpoint
INSERT INTO "product_indexing" ("id", "after") SELECT 1, '' WHERE EXISTS (SELECT 1 FROM "products")
ON CONFLICT ("id") DO UPDATE SET "after" = '';