-- expand
ALTER TABLE "tax_rates" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;