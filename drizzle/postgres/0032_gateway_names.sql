CREATE TABLE "gateway_names" (
	"gateway" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "gateway_names_gateway_name_pk" PRIMARY KEY("gateway","name")
);
--> statement-breakpoint
ALTER TABLE "gateway_names" ADD CONSTRAINT "gateway_names_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_names_payment_index" ON "gateway_names" USING btree ("payment_id");--> statement-breakpoint
-- Until now, a payment had at most one name, of no kind.
INSERT INTO gateway_names (gateway, name, kind, payment_id)
SELECT gateway, gateway_id, 'charge', id FROM payments WHERE gateway IS NOT NULL AND gateway_id IS NOT NULL
ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "payments" DROP COLUMN "gateway_id";
