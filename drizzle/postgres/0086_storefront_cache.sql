-- expand
ALTER TABLE "store" ADD COLUMN "storefront_cache_seconds" integer;