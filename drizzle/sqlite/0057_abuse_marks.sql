CREATE TABLE `abuse_marks` (
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`kind`, `network`, `hour`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `abuse_marks_hour_index` ON `abuse_marks` (`hour`);