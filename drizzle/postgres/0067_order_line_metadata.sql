-- expand
ALTER TABLE "order_lines" ADD COLUMN "metadata" text COLLATE "C" DEFAULT '{}' NOT NULL;