CREATE TABLE "phone_codes" (
	"hour" bigint PRIMARY KEY NOT NULL,
	"sent" integer NOT NULL,
	"withheld" integer NOT NULL
);
