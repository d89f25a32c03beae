-- contract
ALTER TABLE "payments" ADD COLUMN "transaction_key" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "transaction_copy" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "account_id" text COLLATE "C";--> statement-breakpoint
UPDATE payments SET transaction_key = known.transaction_key, transaction_copy = known.transaction_copy
FROM (
	SELECT id, transaction_key, row_number() OVER (PARTITION BY transaction_key, method ORDER BY id) - 1 AS transaction_copy
	FROM (
		SELECT id, method, nullif(upper(replace(replace(transaction_reference, ' ', ''), '-', '')), '') AS transaction_key
		FROM payments
		WHERE transaction_reference IS NOT NULL
	) AS named
	WHERE transaction_key IS NOT NULL
) AS known
WHERE known.id = payments.id;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_transaction_unique" ON "payments" USING btree ("transaction_key","method","transaction_copy") WHERE transaction_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_account_index" ON "payments" USING btree ("account_id") WHERE account_id IS NOT NULL;