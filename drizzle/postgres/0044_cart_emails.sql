CREATE TABLE "consent_withdrawals" (
	"contact_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"withdrawn_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_secret" (
	"id" integer PRIMARY KEY NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	CONSTRAINT "contact_secret_is_one_row" CHECK ("contact_secret"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "cart_reminders" (
	"contact_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"reminded_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "emails" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "cart_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "postal_address" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "cart_reminders_reminded_index" ON "cart_reminders" USING btree ("reminded_at");--> statement-breakpoint
CREATE UNIQUE INDEX "emails_cart_unique" ON "emails" USING btree ("cart_id");--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_about_one" CHECK (("emails"."order_id" IS NULL) <> ("emails"."cart_id" IS NULL));