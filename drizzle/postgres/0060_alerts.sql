CREATE TABLE "alerts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"entry_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"hour" integer NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"error" text COLLATE "C",
	"message_id" text COLLATE "C",
	"sent_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person_email_links" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "email" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "email_verified_at" bigint;--> statement-breakpoint
ALTER TABLE "person_email_links" ADD CONSTRAINT "person_email_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once_unique" ON "alerts" USING btree ("kind","subject","hour","person_id");--> statement-breakpoint
CREATE INDEX "alerts_person_index" ON "alerts" USING btree ("person_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email_unique" ON "people" USING btree ("email");