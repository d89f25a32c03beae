DROP INDEX `payments_idempotency_key_unique`;--> statement-breakpoint
ALTER TABLE `payments` ADD `lineage` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_idempotency_key_unique` ON `payments` (`idempotency_key`,`lineage`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_stored_answers` (
	`key` text NOT NULL,
	`lineage` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`about` text,
	`is_public` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`key`, `lineage`)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_stored_answers`("key", "lineage", "fingerprint", "status", "headers", "body", "about", "created_at") SELECT "key", '', "fingerprint", "status", "headers", "body", "about", "created_at" FROM `stored_answers`;--> statement-breakpoint
DROP TABLE `stored_answers`;--> statement-breakpoint
ALTER TABLE `__new_stored_answers` RENAME TO `stored_answers`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `stored_answers_created_index` ON `stored_answers` (`is_public`,`created_at`);--> statement-breakpoint
ALTER TABLE `refunds` ADD `lineage` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `lineage` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;
--> statement-breakpoint
-- Every key of before begins a line of its own.
UPDATE `api_keys` SET lineage = id, created_by = (SELECT actor FROM api_key_changes WHERE key_id = api_keys.id AND action = 'created');
--> statement-breakpoint
-- A payment is of the key that asked for it. Other answers and refunds stay without a lineage.
UPDATE `payments` SET lineage = coalesce((
  SELECT json_extract(actor, '$.id') FROM events
  WHERE subject = coalesce(payments.order_id, payments.id) AND name = 'payment.initialized'
    AND json_extract(actor, '$.type') = 'api_key' AND json_extract(data, '$.payment_id') = payments.id
  LIMIT 1
), '');
