CREATE TABLE "emails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"sequence" bigint NOT NULL,
	"template" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"error" text COLLATE "C",
	"message_id" text COLLATE "C",
	"sent_at" bigint,
	"resent_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "notifications" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "emails_event_unique" ON "emails" USING btree ("event_id","template");--> statement-breakpoint
CREATE INDEX "emails_order_index" ON "emails" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "emails_status_index" ON "emails" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "emails_template_index" ON "emails" USING btree ("template","id");