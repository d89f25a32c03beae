CREATE TABLE `gateway_names` (
	`gateway` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`payment_id` text NOT NULL,
	PRIMARY KEY(`gateway`, `name`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `gateway_names_payment_index` ON `gateway_names` (`payment_id`);--> statement-breakpoint
-- Until now, a payment had at most one name, of no kind.
INSERT INTO gateway_names (gateway, name, kind, payment_id)
SELECT gateway, gateway_id, 'charge', id FROM payments WHERE gateway IS NOT NULL AND gateway_id IS NOT NULL
ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE `payments` DROP COLUMN `gateway_id`;
