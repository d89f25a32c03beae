CREATE TABLE `log_cursors` (
	`consumer` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	CONSTRAINT "log_cursors_sequence_not_negative" CHECK("log_cursors"."sequence" >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `inbox_messages` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`received_at` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`signature` text NOT NULL,
	`webhook_id` text,
	`answered_status` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `inbox_messages_name_index` ON `inbox_messages` (`name`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`trigger` text NOT NULL,
	`outcome` text NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer,
	`response_status` integer,
	`failure` text,
	`address` text,
	`excerpt` text NOT NULL,
	`next_at` integer,
	PRIMARY KEY(`delivery_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_name` text NOT NULL,
	`sequence` integer,
	`is_replay` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`claim` text,
	`claimed_at` integer,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	CONSTRAINT "webhook_deliveries_due_while_pending" CHECK(("webhook_deliveries"."status" = 'pending') = ("webhook_deliveries"."next_at" IS NOT NULL)),
	CONSTRAINT "webhook_deliveries_claimed_while_sending" CHECK(("webhook_deliveries"."status" = 'sending') = ("webhook_deliveries"."claim" IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint_index` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event_index` ON `webhook_deliveries` (`endpoint_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due_index` ON `webhook_deliveries` (`endpoint_id`,`is_replay`,`next_at`,`id`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_claim_index` ON `webhook_deliveries` (`claim`) WHERE status = 'sending';--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`endpoint_id` text PRIMARY KEY NOT NULL,
	`after` integer NOT NULL,
	`until` integer NOT NULL,
	`names` text,
	`failed_only` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_health` (
	`endpoint_id` text PRIMARY KEY NOT NULL,
	`failures_in_row` integer NOT NULL,
	`failing_since` integer,
	`last_success_at` integer
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`disabled_reason` text,
	`disabled_at` integer,
	`starts_after` integer NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_old_secret` text,
	`old_secret_expires_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
