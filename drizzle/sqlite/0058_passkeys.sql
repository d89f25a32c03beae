CREATE TABLE `passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`person_id` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `passkey_challenges_expires_index` ON `passkey_challenges` (`expires_at`);--> statement-breakpoint
CREATE INDEX `passkey_challenges_person_index` ON `passkey_challenges` (`person_id`);--> statement-breakpoint
CREATE TABLE `person_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `person_passkeys_person_index` ON `person_passkeys` (`person_id`);--> statement-breakpoint
ALTER TABLE `person_sessions` ADD `needs_passkey` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `require_passkey` text DEFAULT 'none' NOT NULL;