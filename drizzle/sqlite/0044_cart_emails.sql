CREATE TABLE `consent_withdrawals` (
	`contact_hash` text PRIMARY KEY NOT NULL,
	`withdrawn_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contact_secret` (
	`id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	CONSTRAINT "contact_secret_is_one_row" CHECK("contact_secret"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `cart_reminders` (
	`contact_hash` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`reminded_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cart_reminders_reminded_index` ON `cart_reminders` (`reminded_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`template` text NOT NULL,
	`order_id` text,
	`cart_id` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`message_id` text,
	`sent_at` integer,
	`resent_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "emails_about_one" CHECK(("__new_emails"."order_id" IS NULL) <> ("__new_emails"."cart_id" IS NULL))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_emails`("id", "event_id", "sequence", "template", "order_id", "cart_id", "status", "attempts", "error", "message_id", "sent_at", "resent_at", "version", "created_at", "updated_at") SELECT "id", "event_id", "sequence", "template", "order_id", NULL, "status", "attempts", "error", "message_id", "sent_at", "resent_at", "version", "created_at", "updated_at" FROM `emails`;--> statement-breakpoint
DROP TABLE `emails`;--> statement-breakpoint
ALTER TABLE `__new_emails` RENAME TO `emails`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `emails_event_unique` ON `emails` (`event_id`,`template`);--> statement-breakpoint
CREATE INDEX `emails_order_index` ON `emails` (`order_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `emails_cart_unique` ON `emails` (`cart_id`);--> statement-breakpoint
CREATE INDEX `emails_status_index` ON `emails` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `emails_template_index` ON `emails` (`template`,`id`);--> statement-breakpoint
ALTER TABLE `store` ADD `postal_address` text;