-- expand
ALTER TABLE "collections" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "shipping_rates" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "fulfillments" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "order_returns" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;