-- expand
ALTER TABLE `payments` ADD `received_on` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `transaction_reference` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `note` text;