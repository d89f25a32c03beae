-- expand
CREATE TABLE "booking_days" (
	"booked_on" integer NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "booking_days_booked_on_currency_account_detail_pk" PRIMARY KEY("booked_on","currency","account","detail")
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"entry" integer NOT NULL,
	"line" integer NOT NULL,
	"booked_on" integer NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"amount_minor" bigint NOT NULL,
	CONSTRAINT "bookings_entry_line_pk" PRIMARY KEY("entry","line")
);
--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "kept_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_figures" ADD COLUMN "written_off_of_sales_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "kept_taxes" text COLLATE "C" DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "given_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "kept_taxed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "bookings_day_index" ON "bookings" USING btree ("booked_on","entry");