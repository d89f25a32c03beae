CREATE TABLE `gateway_notices` (
	`gateway` text NOT NULL,
	`dedup_key` text NOT NULL,
	`topic` text NOT NULL,
	`gateway_reference` text,
	`is_ignored` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`gateway`, `dedup_key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `gateway_notices_created_index` ON `gateway_notices` (`created_at`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`status` text NOT NULL,
	`order_id` text,
	`customer_id` text,
	`method` text NOT NULL,
	`gateway` text,
	`gateway_reference` text,
	`attempt_number` integer NOT NULL,
	`gateway_id` text,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`received_minor` integer,
	`received_currency` text,
	`captured_minor` integer NOT NULL,
	`refunding_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`phone` text,
	`provider` text,
	`card_token` text,
	`email` text,
	`return_url` text,
	`next_action` text,
	`failure_code` text,
	`gateway_code` text,
	`is_unknown` integer NOT NULL,
	`not_found_looks` integer NOT NULL,
	`looked_at` integer NOT NULL,
	`metadata` text NOT NULL,
	`idempotency_key` text,
	`fingerprint` text,
	`expires_at` integer,
	`succeeded_at` integer,
	`failed_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_amount_positive" CHECK("payments"."amount_minor" > 0),
	CONSTRAINT "payments_refunded_within_refunding" CHECK("payments"."refunded_minor" <= "payments"."refunding_minor"),
	CONSTRAINT "payments_refunding_within_received" CHECK("payments"."refunding_minor" >= 0 AND ("payments"."refunding_minor" <= "payments"."captured_minor" OR "payments"."refunding_minor" <= coalesce("payments"."received_minor", 0)))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference_unique` ON `payments` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_idempotency_key_unique` ON `payments` (`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_gateway_reference_unique` ON `payments` (`gateway_reference`) WHERE gateway_reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_order_index` ON `payments` (`order_id`,`id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_status_index` ON `payments` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`order_id` text,
	`status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`reason` text NOT NULL,
	`note` text,
	`lines` text NOT NULL,
	`is_automatic` integer NOT NULL,
	`gateway_refund_id` text,
	`gateway_code` text,
	`is_unknown` integer NOT NULL,
	`idempotency_key` text,
	`fingerprint` text,
	`succeeded_at` integer,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount_positive" CHECK("refunds"."amount_minor" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_payment_index` ON `refunds` (`payment_id`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_order_index` ON `refunds` (`order_id`,`id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `refunds_idempotency_key_index` ON `refunds` (`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_automatic_unique` ON `refunds` (`payment_id`) WHERE is_automatic = 1;