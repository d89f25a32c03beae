-- expand
ALTER TABLE "store" ADD COLUMN "order_url_template" text COLLATE "C";