CREATE TABLE `message_hook` (
	`id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`takes_emails` integer NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_old_secret` text,
	`old_secret_expires_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `customer_codes` (
	`contact_hash` text PRIMARY KEY NOT NULL,
	`code_hash` text,
	`tries` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`asked_at` text NOT NULL,
	`forgotten_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customer_codes_forgotten_index` ON `customer_codes` (`forgotten_at`);--> statement-breakpoint
CREATE TABLE `customer_sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `customer_sessions_customer_index` ON `customer_sessions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `customer_sessions_expires_index` ON `customer_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `customers` ADD `email_verified_at` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `phone_verified_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `contact_email` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `contact_phone` text;--> statement-breakpoint
-- Which of two contacts an earlier order was placed with is not known: the other came from the record, which anyone
-- could have named it in. The merchant's own orders are those of the email.
UPDATE `orders` SET `contact_email` = json_extract(`customer`, '$.email')
WHERE `customer` IS NOT NULL AND (json_extract(`customer`, '$.phone') IS NULL OR `is_from_public_key` = 0);--> statement-breakpoint
UPDATE `orders` SET `contact_phone` = json_extract(`customer`, '$.phone')
WHERE `customer` IS NOT NULL AND json_extract(`customer`, '$.email') IS NULL;--> statement-breakpoint
CREATE INDEX `orders_contact_email_index` ON `orders` (`contact_email`,`id`) WHERE contact_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_contact_phone_index` ON `orders` (`contact_phone`,`id`) WHERE contact_phone IS NOT NULL;