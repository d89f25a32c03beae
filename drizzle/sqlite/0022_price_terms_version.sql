ALTER TABLE `store` ADD `price_terms_version` text;--> statement-breakpoint
UPDATE `store` SET `price_terms_version` = lower(hex(randomblob(16))) WHERE `has_price_terms`;
