ALTER TABLE "store" ADD COLUMN "locale" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "logo_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "brand_color" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "contact_email" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "contact_phone" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "website_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "support_line" text COLLATE "C";