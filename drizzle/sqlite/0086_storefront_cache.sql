-- expand
ALTER TABLE `store` ADD `storefront_cache_seconds` integer;