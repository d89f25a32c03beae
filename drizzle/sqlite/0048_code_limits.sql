CREATE TABLE `phone_codes` (
	`hour` integer PRIMARY KEY NOT NULL,
	`sent` integer NOT NULL,
	`withheld` integer NOT NULL
) STRICT, WITHOUT ROWID;
