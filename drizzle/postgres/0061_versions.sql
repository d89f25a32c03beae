CREATE TABLE "versions" (
	"version" text COLLATE "C" PRIMARY KEY NOT NULL,
	"commit" text COLLATE "C",
	"schema" integer NOT NULL,
	"oldest_beside" integer NOT NULL,
	"first_served_at" bigint NOT NULL
);
