CREATE TABLE `simulated_charges` (
	`gateway_reference` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`reference` text NOT NULL,
	`order_id` text,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`return_url` text,
	`script` text NOT NULL,
	`page_token` text NOT NULL,
	`decision` text,
	`failure_code` text,
	`gateway_code` text,
	`arrived_at` integer,
	`pushes` integer NOT NULL,
	CONSTRAINT "simulated_charges_amount_not_negative" CHECK("simulated_charges"."amount_minor" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `simulated_charges_page_unique` ON `simulated_charges` (`page_token`);--> statement-breakpoint
CREATE INDEX `simulated_charges_payment_index` ON `simulated_charges` (`payment_id`);--> statement-breakpoint
CREATE TABLE `simulated_refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`gateway_reference` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`state` text NOT NULL,
	`gateway_code` text,
	CONSTRAINT "simulated_refunds_amount_positive" CHECK("simulated_refunds"."amount_minor" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `simulated_refunds_charge_index` ON `simulated_refunds` (`gateway_reference`);