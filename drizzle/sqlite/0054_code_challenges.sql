CREATE TABLE `code_counts` (
	`kind` text NOT NULL,
	`hour` integer NOT NULL,
	`sent` integer NOT NULL,
	`strangers` integer NOT NULL,
	`withheld` integer NOT NULL,
	PRIMARY KEY(`kind`, `hour`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `customer_challenges` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`contact_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`tries` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customer_challenges_contact_index` ON `customer_challenges` (`contact_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `customer_challenges_expires_index` ON `customer_challenges` (`expires_at`);--> statement-breakpoint
ALTER TABLE `customer_codes` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customer_codes` ADD `bare_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customer_codes` ADD `failed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Codes that are valid stay so: without a challenge, as their browsers know of none.
INSERT INTO `customer_challenges` (`id_hash`, `contact_hash`, `code_hash`, `tries`, `expires_at`, `created_at`)
SELECT 'before ' || `contact_hash`, `contact_hash`, `code_hash`, `tries`, `expires_at`, `expires_at` - 600000
FROM `customer_codes` WHERE `code_hash` IS NOT NULL;--> statement-breakpoint
UPDATE `customer_codes` SET `bare_tries` = `tries` WHERE `code_hash` IS NOT NULL;--> statement-breakpoint
INSERT INTO `code_counts` (`kind`, `hour`, `sent`, `strangers`, `withheld`)
SELECT 'phone', `hour`, `sent`, 0, `withheld` FROM `phone_codes`;
