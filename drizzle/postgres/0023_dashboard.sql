CREATE TABLE "sign_in_guesses" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"token_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person_links" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"role" text COLLATE "C",
	"person_id" text COLLATE "C",
	"made_by" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person_passwords" (
	"person_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"failures" integer NOT NULL,
	"changed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "person_sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"person_id" text COLLATE "C" NOT NULL,
	"token_hash" text COLLATE "C" NOT NULL,
	"confirmed_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"is_brief" boolean NOT NULL,
	"device" text COLLATE "C" NOT NULL,
	"network" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C",
	"role" text COLLATE "C" NOT NULL,
	"removed_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_links" ADD CONSTRAINT "person_links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_links" ADD CONSTRAINT "person_links_made_by_people_id_fk" FOREIGN KEY ("made_by") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_passwords" ADD CONSTRAINT "person_passwords_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_sessions" ADD CONSTRAINT "person_sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_guesses_last_index" ON "sign_in_guesses" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "known_devices_person_index" ON "known_devices" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "person_links_token_unique" ON "person_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "person_links_person_index" ON "person_links" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "person_links_maker_index" ON "person_links" USING btree ("made_by");--> statement-breakpoint
CREATE UNIQUE INDEX "person_sessions_token_unique" ON "person_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "person_sessions_person_index" ON "person_sessions" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_name_key_unique" ON "people" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "orders_to_pack_index" ON "orders" USING btree ("status","id") WHERE status = 'open' AND fulfillment_status <> 'fulfilled' AND (payment_status IN ('paid', 'overpaid', 'partially_refunded') OR (payment_method IN ('cash_on_delivery', 'cash') AND payment_status <> 'refunded' AND (deposit_percent = 100 OR payment_status = 'partially_paid')));