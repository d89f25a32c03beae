CREATE TABLE `gateway_keys` (
	`gateway` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	PRIMARY KEY(`gateway`, `key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `payments` ADD `gateway_ends_at` integer;--> statement-breakpoint
-- What exists was asked for without an end of its own: the attempt's stands in for it.
UPDATE payments SET gateway_ends_at = coalesce(expires_at, created_at) WHERE gateway IS NOT NULL;
