CREATE TABLE `versions` (
	`version` text PRIMARY KEY NOT NULL,
	`commit` text,
	`schema` integer NOT NULL,
	`oldest_beside` integer NOT NULL,
	`first_served_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
