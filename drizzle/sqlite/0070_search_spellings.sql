-- contract
CREATE TABLE `search_spellings` (
	`key` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`key`, `word`)
) STRICT, WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `product_indexing` (`id`, `after`) SELECT 1, '' WHERE EXISTS (SELECT 1 FROM `products`)
ON CONFLICT (`id`) DO UPDATE SET `after` = '';