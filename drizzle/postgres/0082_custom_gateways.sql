-- expand
CREATE TABLE "custom_gateways" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"standing" text COLLATE "C" NOT NULL,
	"placed_secret" text COLLATE "C",
	"placed_former_secret" text COLLATE "C",
	"former_secret_until" bigint,
	"described" text COLLATE "C",
	"created_at" bigint NOT NULL
);
