-- The full-text index. The documents keep no text of their own; the directory says whose each is.
CREATE TABLE `search_entries` (
	`document` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_subject_unique` ON `search_entries` (`kind`,`subject`);--> statement-breakpoint
CREATE VIRTUAL TABLE `search_documents` USING fts5(
	`kind`, `body`, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
--> statement-breakpoint
-- What is forgotten leaves no words behind in the index.
INSERT INTO `search_documents`(`search_documents`, `rank`) VALUES ('secure-delete', 1);
