CREATE TABLE `import_files` (
	`id` text PRIMARY KEY NOT NULL,
	`noun` text NOT NULL,
	`person_id` text NOT NULL,
	`content` text,
	`terms` text NOT NULL,
	`run` text NOT NULL,
	`applies` integer NOT NULL,
	`done` integer NOT NULL,
	`total` integer NOT NULL,
	`is_importing` integer NOT NULL,
	`report` text,
	`seen_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_files_created_index` ON `import_files` (`created_at`);