-- expand
ALTER TABLE `store` ADD `order_url_template` text;