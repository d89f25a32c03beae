-- expand
ALTER TABLE "custom_gateways" ADD COLUMN "described_at" bigint;--> statement-breakpoint
ALTER TABLE "custom_gateways" ADD COLUMN "by_operator" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_gateways" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "connections_version" integer DEFAULT 0 NOT NULL;