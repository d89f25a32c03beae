ALTER TABLE `orders` ADD `is_from_public_key` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `limits` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `enforce_limits` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_phone_index` ON `payments` (`phone`,`created_at`) WHERE phone IS NOT NULL;