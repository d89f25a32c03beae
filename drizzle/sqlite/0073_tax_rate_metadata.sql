-- expand
ALTER TABLE `tax_rates` ADD `metadata` text DEFAULT '{}' NOT NULL;