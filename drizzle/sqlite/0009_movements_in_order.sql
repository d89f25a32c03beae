-- The ledger in the order in which it is written. Kept in the tree of its key, each line of it went to
-- the page of its variant, and a row is so wide that the way there grew with every order: half of all
-- pages that an order of a large shop read or wrote were these. Lines that are there stay together by
-- variant.
CREATE TABLE `__new_inventory_movements` (
	`id` text NOT NULL,
	`variant_id` text NOT NULL,
	`delta_on_hand` integer NOT NULL,
	`delta_reserved` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`note` text,
	`actor` text NOT NULL,
	`balance_on_hand` integer NOT NULL,
	`balance_reserved` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`variant_id`, `id`)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_inventory_movements`("id", "variant_id", "delta_on_hand", "delta_reserved", "reason", "order_id", "note", "actor", "balance_on_hand", "balance_reserved", "created_at") SELECT "id", "variant_id", "delta_on_hand", "delta_reserved", "reason", "order_id", "note", "actor", "balance_on_hand", "balance_reserved", "created_at" FROM `inventory_movements` ORDER BY "variant_id", "id";--> statement-breakpoint
DROP TABLE `inventory_movements`;--> statement-breakpoint
ALTER TABLE `__new_inventory_movements` RENAME TO `inventory_movements`;
