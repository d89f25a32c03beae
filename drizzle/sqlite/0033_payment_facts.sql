ALTER TABLE `payments` ADD `fee_minor` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `channel` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `instrument` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `paid_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `returned_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `simulated_charges` ADD `channel` text;--> statement-breakpoint
ALTER TABLE `simulated_charges` ADD `instrument` text;--> statement-breakpoint
ALTER TABLE `simulated_charges` ADD `decided_at` integer;