ALTER TABLE `store` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `store` ADD `logo_url` text;--> statement-breakpoint
ALTER TABLE `store` ADD `brand_color` text;--> statement-breakpoint
ALTER TABLE `store` ADD `contact_email` text;--> statement-breakpoint
ALTER TABLE `store` ADD `contact_phone` text;--> statement-breakpoint
ALTER TABLE `store` ADD `website_url` text;--> statement-breakpoint
ALTER TABLE `store` ADD `support_line` text;