CREATE TABLE "gateway_accounts" (
	"gateway" text COLLATE "C" PRIMARY KEY NOT NULL,
	"placed_secret" text COLLATE "C" NOT NULL,
	"placed_webhook_secrets" text COLLATE "C",
	"display" text COLLATE "C" NOT NULL,
	"set_at" bigint NOT NULL,
	"set_by" text COLLATE "C"
);
