CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rate_uses` (
	`window` text NOT NULL,
	`second` integer NOT NULL,
	`holder` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`window`, `second`, `holder`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rate_uses_second_index` ON `rate_uses` (`second`);--> statement-breakpoint
CREATE TABLE `vault_marks` (
	`id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	CONSTRAINT "vault_marks_is_one" CHECK("vault_marks"."id" = 1)
) STRICT;
