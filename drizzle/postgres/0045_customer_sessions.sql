CREATE TABLE "message_hook" (
	"id" integer PRIMARY KEY NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"takes_emails" boolean NOT NULL,
	"sealed_secret" text COLLATE "C" NOT NULL,
	"sealed_old_secret" text COLLATE "C",
	"old_secret_expires_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_codes" (
	"contact_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"code_hash" text COLLATE "C",
	"tries" integer NOT NULL,
	"expires_at" bigint NOT NULL,
	"asked_at" text COLLATE "C" NOT NULL,
	"forgotten_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_sessions" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "email_verified_at" bigint;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "phone_verified_at" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "contact_email" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "contact_phone" text COLLATE "C";--> statement-breakpoint
-- Which of two contacts an earlier order was placed with is not known: the other came from the record, which anyone
-- could have named it in. The merchant's own orders are those of the email.
UPDATE "orders" SET "contact_email" = ("customer"::json ->> 'email')
WHERE "customer" IS NOT NULL AND (("customer"::json ->> 'phone') IS NULL OR NOT "is_from_public_key");--> statement-breakpoint
UPDATE "orders" SET "contact_phone" = ("customer"::json ->> 'phone')
WHERE "customer" IS NOT NULL AND ("customer"::json ->> 'email') IS NULL;--> statement-breakpoint
ALTER TABLE "customer_sessions" ADD CONSTRAINT "customer_sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_codes_forgotten_index" ON "customer_codes" USING btree ("forgotten_at");--> statement-breakpoint
CREATE INDEX "customer_sessions_customer_index" ON "customer_sessions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "customer_sessions_expires_index" ON "customer_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "orders_contact_email_index" ON "orders" USING btree ("contact_email","id") WHERE contact_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_contact_phone_index" ON "orders" USING btree ("contact_phone","id") WHERE contact_phone IS NOT NULL;