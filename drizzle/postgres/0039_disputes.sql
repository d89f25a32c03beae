CREATE TABLE "disputes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C",
	"gateway" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"money" text COLLATE "C" NOT NULL,
	"due_at" bigint,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_name_unique" ON "disputes" USING btree ("gateway","name");--> statement-breakpoint
CREATE INDEX "disputes_payment_index" ON "disputes" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "disputes_status_index" ON "disputes" USING btree ("status","id");