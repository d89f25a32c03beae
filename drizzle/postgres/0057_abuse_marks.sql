CREATE TABLE "abuse_marks" (
	"kind" text COLLATE "C" NOT NULL,
	"network" text COLLATE "C" NOT NULL,
	"hour" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "abuse_marks_kind_network_hour_pk" PRIMARY KEY("kind","network","hour")
);
--> statement-breakpoint
CREATE INDEX "abuse_marks_hour_index" ON "abuse_marks" USING btree ("hour");