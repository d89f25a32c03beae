-- expand
CREATE TABLE `booking_days` (
	`booked_on` integer NOT NULL,
	`currency` text NOT NULL,
	`account` text NOT NULL,
	`detail` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`booked_on`, `currency`, `account`, `detail`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bookings` (
	`entry` integer NOT NULL,
	`line` integer NOT NULL,
	`booked_on` integer NOT NULL,
	`currency` text NOT NULL,
	`account` text NOT NULL,
	`detail` text NOT NULL,
	`amount_minor` integer NOT NULL,
	PRIMARY KEY(`entry`, `line`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bookings_day_index` ON `bookings` (`booked_on`,`entry`);--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `kept_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `analytics_figures` ADD `written_off_of_sales_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `kept_taxes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `store` ADD `kept_taxed` integer DEFAULT true NOT NULL;