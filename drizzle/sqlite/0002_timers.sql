CREATE TABLE `shop_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL,
	CONSTRAINT "shop_clock_is_one" CHECK("shop_clock"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `timers` (
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`last_error` text,
	PRIMARY KEY(`name`, `subject`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `timers_due_index` ON `timers` (`due_at`,`name`,`subject`);