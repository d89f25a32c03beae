CREATE TABLE "acme_accounts" (
	"directory" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed_key" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "acme_challenges" (
	"token" text COLLATE "C" PRIMARY KEY NOT NULL,
	"answer" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"domains" text COLLATE "C" NOT NULL,
	"chain" text COLLATE "C",
	"sealed_key" text COLLATE "C",
	"not_after" bigint,
	"renew_at" bigint NOT NULL,
	"failures" integer NOT NULL,
	"problem" text COLLATE "C"
);
