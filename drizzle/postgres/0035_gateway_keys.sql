CREATE TABLE "gateway_keys" (
	"gateway" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"body_hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "gateway_keys_gateway_key_pk" PRIMARY KEY("gateway","key")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "gateway_ends_at" bigint;--> statement-breakpoint
-- What exists was asked for without an end of its own: the attempt's stands in for it.
UPDATE payments SET gateway_ends_at = coalesce(expires_at, created_at) WHERE gateway IS NOT NULL;
