-- expand
ALTER TABLE `custom_gateways` ADD `described_at` integer;--> statement-breakpoint
ALTER TABLE `custom_gateways` ADD `by_operator` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `custom_gateways` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `connections_version` integer DEFAULT 0 NOT NULL;