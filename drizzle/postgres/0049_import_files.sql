CREATE TABLE "import_files" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"noun" text COLLATE "C" NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C",
	"terms" text COLLATE "C" NOT NULL,
	"run" text COLLATE "C" NOT NULL,
	"applies" boolean NOT NULL,
	"done" integer NOT NULL,
	"total" integer NOT NULL,
	"is_importing" boolean NOT NULL,
	"report" text COLLATE "C",
	"seen_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "import_files_created_index" ON "import_files" USING btree ("created_at");