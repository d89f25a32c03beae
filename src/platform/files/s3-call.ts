// Calls of an object store that speaks S3. Invariant: of the environment they take nothing. Bun's own client signs with
// AWS_SESSION_TOKEN, which no option switches off, follows redirects and proxies, and trusts any certificate where
// NODE_TLS_REJECT_UNAUTHORIZED says so.

import { realClock } from "#kernel/time.ts";
import { callForBytes } from "#platform/net/call-anywhere.ts";
import { openDeadline } from "#platform/net/deadline.ts";

import { mediaStoreUnavailable, type S3Bucket } from "./file-store.ts";
import { encoded, NO_BODY_SHA256, type S3Request, signatureOf } from "./s3-signature.ts";

/** For one call and its repetition, of a file of some MB at most. */
const CALL_MS_MAX = 20_000;
const MISSING = "NoSuchKey";

interface S3Question {
  readonly method: S3Request["method"];
  /** Empty for the bucket itself. */
  readonly key?: string;
  /** In the order of its names. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
}

interface S3Answer {
  readonly headers: Headers;
  readonly bytes: ArrayBuffer;
}

/** Answers null if there is no such file. Refuses with `media_store_unavailable` where the store does not do it in time. */
export type S3Call = (question: S3Question) => Promise<S3Answer | null>;

/** Opens the calls of a bucket. Nothing is called before the first. */
export function openS3Call(bucket: S3Bucket): S3Call {
  return async (question) => {
    using deadline = openDeadline(CALL_MS_MAX);
    try {
      return await ask(bucket, question, deadline.signal);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw unavailable(bucket, deadline.signal.aborted ? "no answer in time" : words, error);
    }
  };
}

/** The refusal, whose cause says what the store did. */
export function unavailable(bucket: S3Bucket, what: string, cause?: unknown): Error {
  const refusal = mediaStoreUnavailable();
  refusal.cause = new Error(`${bucketLabel(bucket)}: ${what}`, { cause });
  return refusal;
}

/** The bucket for people, without secrets. */
export function bucketLabel({ name, endpoint }: S3Bucket): string {
  return `the bucket ${name} at ${endpoint}`;
}

async function ask(
  bucket: S3Bucket,
  question: S3Question,
  signal: AbortSignal,
): Promise<S3Answer | null> {
  const { method } = question;
  const { status, headers, bytes } = await sendAgain(bucket, question, signal);
  if (status === 200 || (status === 204 && method === "DELETE")) return { headers, bytes };
  const text = new TextDecoder().decode(bytes);
  const code = elementOf(text, "Code");
  // HEAD has no body that says what is missing.
  if (status === 404 && (code === MISSING || method === "HEAD")) return null;
  throw new Error(
    [`status ${status}`, code, elementOf(text, "Message")].filter(Boolean).join(", "),
  );
}

/** Every call may be repeated: a kept connection may have ended as it was sent. */
async function sendAgain(bucket: S3Bucket, question: S3Question, signal: AbortSignal) {
  try {
    return await send(bucket, question, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return send(bucket, question, signal);
  }
}

function send(
  bucket: S3Bucket,
  { method, key = "", query = {}, body }: S3Question,
  signal: AbortSignal,
) {
  const url = urlOf(bucket, key, query);
  const sha256 =
    body === undefined
      ? NO_BODY_SHA256
      : new Bun.CryptoHasher("sha256").update(body.bytes).digest("hex");
  return callForBytes({
    method,
    url: url.href,
    headers: {
      ...signatureOf({ method, url, sha256 }, bucket, realClock.now()),
      "accept-encoding": "identity",
      ...(body === undefined ? {} : { "content-type": body.type }),
    },
    ...(body === undefined ? {} : { body: body.bytes }),
    timeoutMs: CALL_MS_MAX,
    signal,
    alwaysVerifies: true,
  });
}

/** A host that begins with the name of the bucket has it there, else the path begins with it. */
function urlOf(
  { endpoint, name }: S3Bucket,
  key: string,
  query: Readonly<Record<string, string>>,
): URL {
  const isInHost = new URL(endpoint).hostname.startsWith(`${name}.`);
  const path = [...(isInHost ? [] : [name]), ...key.split("/")].map(encoded).join("/");
  const search = Object.entries(query).map(([one, value]) => `${one}=${encoded(value)}`);
  const url = new URL(`${endpoint}/${path}`);
  url.search = search.join("&");
  return url;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The text of the first element of the name; empty if there is none. */
export function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
  return text
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, entity: string) => entities[entity] ?? "");
}
