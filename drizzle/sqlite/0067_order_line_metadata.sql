-- expand
ALTER TABLE `order_lines` ADD `metadata` text DEFAULT '{}' NOT NULL;