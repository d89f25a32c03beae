-- expand
ALTER TABLE `analytics_figures` ADD `kept_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `written_off_of_sales_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `kept_taxes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `store` ADD `kept_taxed` integer DEFAULT true NOT NULL;