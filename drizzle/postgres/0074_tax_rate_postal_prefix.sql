-- expand
ALTER TABLE "tax_rates" ADD COLUMN "postal_prefix" text COLLATE "C";