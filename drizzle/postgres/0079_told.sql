-- contract
CREATE TABLE "connections" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed_value" text COLLATE "C" NOT NULL,
	"display" text COLLATE "C" NOT NULL,
	"set_at" bigint NOT NULL,
	"set_by" text COLLATE "C",
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"endpoint_hash" text COLLATE "C" NOT NULL,
	"sealed_terms" text COLLATE "C" NOT NULL,
	"device" text COLLATE "C" NOT NULL,
	"failures" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"last_ok_at" bigint
);
--> statement-breakpoint
DROP INDEX "alerts_once_unique";--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "event_id" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "channel" text COLLATE "C" DEFAULT 'email' NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "subscription_id" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "gathers_until" bigint;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "alerts" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "summary_at" text COLLATE "C" DEFAULT '20:00' NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "recovery_by_email" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint_unique" ON "push_subscriptions" USING btree ("endpoint_hash");--> statement-breakpoint
CREATE INDEX "push_subscriptions_person_index" ON "push_subscriptions" USING btree ("person_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once_unique" ON "alerts" USING btree ("event_id","kind","subject","hour","person_id","channel","subscription_id");