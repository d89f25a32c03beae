ALTER TABLE "carts" ADD COLUMN "billing_address" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "shipping_label" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "shipping_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "notes" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "channel" text COLLATE "C" DEFAULT 'online_store' NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "external_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "payment_methods" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "gateway_methods" text COLLATE "C" DEFAULT '[]' NOT NULL;