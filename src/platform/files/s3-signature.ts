// The signature of a request to an object store: AWS Signature Version 4 for S3, in headers.

import type { S3Bucket } from "./file-store.ts";

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly url: URL;
  /** The hash of its body, in hexadecimal: the store refuses another body. */
  readonly sha256: string;
}

/** The SHA-256 of no body. */
export const NO_BODY_SHA256 = new Bun.CryptoHasher("sha256").digest("hex");

/** As Signature Version 4 encodes: encodeURIComponent leaves five signs that it does not. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The headers that sign the request at the instant, epoch milliseconds. Path and query have to be `encoded`, the names
 * of the query in their order.
 */
export function signatureOf(
  { method, url, sha256 }: S3Request,
  { key, secret, region }: Pick<S3Bucket, "key" | "secret" | "region">,
  at: number,
): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const headers = { "x-amz-content-sha256": sha256, "x-amz-date": time };
  const signed = { host: url.host, ...headers };
  const names = Object.keys(signed).join(";");
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const canonical = [method, url.pathname, url.search.slice(1), lines.join(""), names, sha256];
  const hash = new Bun.CryptoHasher("sha256").update(canonical.join("\n")).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), hash].join("\n");
  const signingKey = scope.reduce<Uint8Array>(keyed, Buffer.from(`AWS4${secret}`));
  const signature = Buffer.from(keyed(signingKey, text)).toString("hex");
  const credential = `${key}/${scope.join("/")}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function keyed(key: Uint8Array, text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256", key).update(text).digest();
}
