DROP INDEX "payments_idempotency_key_unique";--> statement-breakpoint
DROP INDEX "stored_answers_created_index";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "lineage" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "lineage" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_answers" ADD COLUMN "lineage" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_answers" ALTER COLUMN "lineage" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "stored_answers" ADD COLUMN "is_public" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_answers" DROP CONSTRAINT "stored_answers_pkey";--> statement-breakpoint
ALTER TABLE "stored_answers" ADD CONSTRAINT "stored_answers_key_lineage_pk" PRIMARY KEY("key","lineage");--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "lineage" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "payments_idempotency_key_unique" ON "payments" USING btree ("idempotency_key","lineage") WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "stored_answers_created_index" ON "stored_answers" USING btree ("is_public","created_at");
--> statement-breakpoint
-- Every key of before begins a line of its own.
UPDATE "api_keys" SET lineage = id, created_by = (SELECT actor FROM api_key_changes WHERE key_id = api_keys.id AND action = 'created');
--> statement-breakpoint
-- A payment is of the key that asked for it. Other answers and refunds stay without a lineage.
UPDATE "payments" SET lineage = coalesce((
  SELECT actor::json ->> 'id' FROM events
  WHERE subject = coalesce(payments.order_id, payments.id) AND name = 'payment.initialized'
    AND actor::json ->> 'type' = 'api_key' AND data::json ->> 'payment_id' = payments.id
  LIMIT 1
), '');
