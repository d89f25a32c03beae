-- expand
ALTER TABLE "certificates" ADD COLUMN "directory" text COLLATE "C";