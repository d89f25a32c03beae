ALTER TABLE `customers` ADD `is_unverified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_public` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `stored_answers` ADD `about` text;--> statement-breakpoint
UPDATE `payments` SET `is_public` = true WHERE `reference` = `id`;