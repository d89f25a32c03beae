-- expand
CREATE TABLE `custom_gateways` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`standing` text NOT NULL,
	`placed_secret` text,
	`placed_former_secret` text,
	`former_secret_until` integer,
	`described` text,
	`created_at` integer NOT NULL
) STRICT;
