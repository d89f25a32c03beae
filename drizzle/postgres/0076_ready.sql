-- expand
CREATE TABLE "receiving_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"method" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"instructions" text COLLATE "C" NOT NULL,
	"currencies" text COLLATE "C" NOT NULL,
	"active" boolean NOT NULL,
	"position" integer NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "fulfillments" ADD COLUMN "cancelled_at" bigint;--> statement-breakpoint
ALTER TABLE "fulfillments" ADD COLUMN "cancel_note" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "receiving_accounts_position_index" ON "receiving_accounts" USING btree ("position","id");