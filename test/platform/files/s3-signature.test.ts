// Signatures of requests to an object store.

import { expect, test } from "bun:test";

import { encoded, NO_BODY_SHA256, signatureOf } from "#platform/files/s3-signature.ts";

test("a request is signed as the examples of Amazon's documentation are", () => {
  const url = new URL("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J");
  const credentials = {
    key: "AKIAIOSFODNN7EXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };

  const headers = signatureOf(
    { method: "GET", url, sha256: NO_BODY_SHA256 },
    credentials,
    Date.parse("2013-05-24T00:00:00Z"),
  );

  expect(headers["x-amz-date"]).toBe("20130524T000000Z");
  expect(headers["authorization"]).toEndWith(
    "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  );
  expect(encoded("a b/é(1)*'!")).toBe("a%20b%2F%C3%A9%281%29%2A%27%21");
});
