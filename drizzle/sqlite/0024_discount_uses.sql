PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_discount_uses` (
	`discount_id` text NOT NULL,
	`order_id` text NOT NULL,
	`code` text,
	`customer_id` text,
	`counted` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `discount_id`),
	FOREIGN KEY (`discount_id`) REFERENCES `discounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_discount_uses`("discount_id", "order_id", "code", "customer_id", "counted", "created_at") SELECT "discount_id", "order_id", "code", "customer_id", "counted", "created_at" FROM `discount_uses`;--> statement-breakpoint
DROP TABLE `discount_uses`;--> statement-breakpoint
ALTER TABLE `__new_discount_uses` RENAME TO `discount_uses`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `discount_uses_code_index` ON `discount_uses` (`code`) WHERE code IS NOT NULL;--> statement-breakpoint
CREATE INDEX `discount_uses_discount_index` ON `discount_uses` (`discount_id`,`counted`);--> statement-breakpoint
DELETE FROM `discount_buyers` WHERE `discount_id` IN (SELECT `id` FROM `discounts` WHERE `per_customer_limit` IS NULL);
