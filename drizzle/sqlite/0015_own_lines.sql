PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_order_lines` (
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`variant_id` text,
	`product_id` text,
	`sku` text,
	`name` text NOT NULL,
	`quantity` integer NOT NULL,
	`cancelled_quantity` integer NOT NULL,
	`fulfilled_quantity` integer NOT NULL,
	`returned_quantity` integer NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`subtotal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`tax_minor` integer NOT NULL,
	`total_minor` integer NOT NULL,
	PRIMARY KEY(`order_id`, `position`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_lines_quantity_positive" CHECK("__new_order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_open_not_negative" CHECK("__new_order_lines"."cancelled_quantity" >= 0 AND "__new_order_lines"."fulfilled_quantity" >= 0 AND "__new_order_lines"."cancelled_quantity" + "__new_order_lines"."fulfilled_quantity" <= "__new_order_lines"."quantity"),
	CONSTRAINT "order_lines_returned_within_fulfilled" CHECK("__new_order_lines"."returned_quantity" BETWEEN 0 AND "__new_order_lines"."fulfilled_quantity"),
	CONSTRAINT "order_lines_subtotal" CHECK("__new_order_lines"."subtotal_minor" = "__new_order_lines"."unit_price_minor" * "__new_order_lines"."quantity"),
	CONSTRAINT "order_lines_total_adds_up" CHECK("__new_order_lines"."total_minor" = "__new_order_lines"."subtotal_minor" - "__new_order_lines"."discount_minor" + "__new_order_lines"."tax_minor")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_order_lines`("order_id", "position", "id", "variant_id", "product_id", "sku", "name", "quantity", "cancelled_quantity", "fulfilled_quantity", "returned_quantity", "unit_price_minor", "subtotal_minor", "discount_minor", "tax_minor", "total_minor") SELECT "order_id", "position", "id", "variant_id", "product_id", "sku", "name", "quantity", "cancelled_quantity", "fulfilled_quantity", "returned_quantity", "unit_price_minor", "subtotal_minor", "discount_minor", "tax_minor", "total_minor" FROM `order_lines`;--> statement-breakpoint
DROP TABLE `order_lines`;--> statement-breakpoint
ALTER TABLE `__new_order_lines` RENAME TO `order_lines`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `order_lines_product_index` ON `order_lines` (`product_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `order_lines_sku_index` ON `order_lines` (`sku`,`order_id`) WHERE sku IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_payment_method_index` ON `orders` (`payment_method`,`id`);--> statement-breakpoint
CREATE INDEX `orders_updated_week_index` ON `orders` ((updated_at / 604800000),`id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `orders_paid_week_index` ON `orders` ((paid_at / 604800000),`id`,`paid_at`) WHERE paid_at IS NOT NULL;