CREATE TABLE `gateway_accounts` (
	`gateway` text PRIMARY KEY NOT NULL,
	`placed_secret` text NOT NULL,
	`placed_webhook_secrets` text,
	`display` text NOT NULL,
	`set_at` integer NOT NULL,
	`set_by` text
) STRICT;
