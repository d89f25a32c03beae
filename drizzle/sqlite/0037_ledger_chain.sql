ALTER TABLE `inventory_levels` ADD `last_movement_id` text;--> statement-breakpoint
ALTER TABLE `inventory_levels` ADD `previous_movement_id` text;--> statement-breakpoint
UPDATE `inventory_levels` SET
	`last_movement_id` = (SELECT max(`id`) FROM `inventory_movements` WHERE `variant_id` = `inventory_levels`.`variant_id`),
	`previous_movement_id` = (SELECT `id` FROM `inventory_movements` WHERE `variant_id` = `inventory_levels`.`variant_id` ORDER BY `id` DESC LIMIT 1 OFFSET 1);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_inventory_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`previous_id` text,
	`variant_id` text NOT NULL,
	`delta_on_hand` integer NOT NULL,
	`delta_reserved` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`note` text,
	`actor` text NOT NULL,
	`balance_on_hand` integer NOT NULL,
	`balance_reserved` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_inventory_movements`("id", "previous_id", "variant_id", "delta_on_hand", "delta_reserved", "reason", "order_id", "note", "actor", "balance_on_hand", "balance_reserved", "created_at") SELECT "id", lag("id") OVER (PARTITION BY "variant_id" ORDER BY "id"), "variant_id", "delta_on_hand", "delta_reserved", "reason", "order_id", "note", "actor", "balance_on_hand", "balance_reserved", "created_at" FROM `inventory_movements` ORDER BY "id";--> statement-breakpoint
DROP TABLE `inventory_movements`;--> statement-breakpoint
ALTER TABLE `__new_inventory_movements` RENAME TO `inventory_movements`;--> statement-breakpoint
PRAGMA foreign_keys=ON;