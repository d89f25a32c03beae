-- expand
ALTER TABLE `tax_rates` ADD `postal_prefix` text;