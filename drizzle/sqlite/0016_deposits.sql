ALTER TABLE `orders` ADD `deposit_percent` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `deposit_percent` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `review_days` integer DEFAULT 7 NOT NULL;