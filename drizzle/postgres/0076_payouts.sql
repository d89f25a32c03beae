-- expand
CREATE TABLE "payout_lines" (
	"payout_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"reference" text COLLATE "C",
	"payment_id" text COLLATE "C",
	"refund_id" text COLLATE "C",
	"dispute_id" text COLLATE "C",
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"verdict" text COLLATE "C" NOT NULL,
	CONSTRAINT "payout_lines_payout_id_position_pk" PRIMARY KEY("payout_id","position")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"into" text COLLATE "C" NOT NULL,
	"arrived_on" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "payouts_net" CHECK ("payouts"."net_minor" = "payouts"."gross_minor" - "payouts"."fee_minor")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "payout_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_name_unique" ON "payouts" USING btree ("source","name");--> statement-breakpoint
CREATE INDEX "payments_unpaid_out_index" ON "payments" USING btree ("gateway","succeeded_at") WHERE payout_id IS NULL AND gateway IS NOT NULL AND succeeded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_paid_out_index" ON "payments" USING btree ("gateway","succeeded_at") WHERE payout_id IS NOT NULL;