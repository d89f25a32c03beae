DROP TABLE `phone_codes`;--> statement-breakpoint
ALTER TABLE `customer_codes` DROP COLUMN `code_hash`;--> statement-breakpoint
ALTER TABLE `customer_codes` DROP COLUMN `tries`;--> statement-breakpoint
ALTER TABLE `customer_codes` DROP COLUMN `expires_at`;