CREATE TABLE `acme_accounts` (
	`directory` text PRIMARY KEY NOT NULL,
	`sealed_key` text NOT NULL,
	`url` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `acme_challenges` (
	`token` text PRIMARY KEY NOT NULL,
	`answer` text NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `certificates` (
	`name` text PRIMARY KEY NOT NULL,
	`domains` text NOT NULL,
	`chain` text,
	`sealed_key` text,
	`not_after` integer,
	`renew_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`problem` text
) STRICT;
