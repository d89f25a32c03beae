// Calls of an object store that speaks S3. Invariant: of the environment they take nothing. Bun's own client signs with
// AWS_SESSION_TOKEN, which no option switches off, follows redirects and proxies, and trusts any certificate where
// NODE_TLS_REJECT_UNAUTHORIZED says so.

import { realClock } from "#kernel/time.ts";
import { callForParts, type PartsAnswer, wholeOf } from "#platform/net/call-for-parts.ts";
import { openDeadline, untilAborted } from "#platform/net/deadline.ts";

import { type ByteRange, mediaStoreUnavailable, type S3Bucket } from "./file-store.ts";
import { encoded, NO_BODY_SHA256, type S3Request, signatureOf } from "./s3-signature.ts";
import { turns } from "./turns.ts";

/**
 * For the turn of a call, itself and its repetition, whose file is of some MB at most where it has one. Of a file that is
 * read it is the limit until its headers, and for each of its parts: how long the whole takes is its reader's choice.
 */
const CALL_MS_MAX = 20_000;
/**
 * The most calls of each mode at once. Bun has 256 calls at work, those of gateways among them: a bucket that does not
 * answer must not have all.
 */
const CALLS_AT_ONCE_MAX = 64;
/** The longest answer, which is a list: a thousand names of 1 KiB, encoded. Errors are short. */
const ANSWER_BYTES_MAX = 8 * 1_048_576;
const MISSING = "NoSuchKey";

interface S3Question {
  readonly method: S3Request["method"];
  /** Empty for the bucket itself. */
  readonly key?: string;
  /** In the order of its names. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
  readonly range?: ByteRange | undefined;
  /** The limit of the turn where the usual one is too short: no customer waits for a backup. */
  readonly callMsMax?: number;
}

/**
 * Answers what `take` makes of the answer, or null if there is no such file. Refuses with `media_store_unavailable` where
 * the store or `take` fails, or both have not ended in time. `ending` ends the call, also while what was taken is read.
 */
export type S3Call = <T>(
  question: S3Question,
  take: (answer: PartsAnswer) => T | Promise<T>,
  ending?: AbortSignal,
) => Promise<T | null>;

/** Opens the calls of a bucket. Nothing is called before the first. */
export function openS3Call(bucket: S3Bucket): S3Call {
  const inTurn = turns(CALLS_AT_ONCE_MAX);
  return async (question, take, ending) => {
    using deadline = openDeadline(question.callMsMax ?? CALL_MS_MAX);
    const late = deadline.signal;
    const signal = ending === undefined ? late : AbortSignal.any([late, ending]);
    const work = async () => {
      const answer = await ask(bucket, question, signal);
      if (answer === null) return null;
      try {
        return await take(answer);
      } catch (error) {
        answer.parts.end();
        throw error;
      }
    };
    try {
      return await untilAborted(inTurn(work), late);
    } catch (error) {
      throw unavailable(bucket, late.aborted ? "no answer in time" : error);
    }
  };
}

/** All that follows the headers, as text. */
export async function textOf(answer: PartsAnswer): Promise<string> {
  return new TextDecoder().decode(await allOf(answer));
}

/** All that follows the headers. */
export function allOf({ parts }: PartsAnswer): Promise<Uint8Array> {
  return wholeOf(parts, ANSWER_BYTES_MAX);
}

/** The refusal, whose cause says what the store did. */
export function unavailable(bucket: S3Bucket, what: unknown): Error {
  const refusal = mediaStoreUnavailable();
  const words = what instanceof Error ? what.message : String(what);
  refusal.cause = new Error(`${bucketLabel(bucket)}: ${words}`, { cause: what });
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
): Promise<PartsAnswer | null> {
  const { method } = question;
  const answer = await sendAgain(bucket, question, signal);
  const { status } = answer;
  if (status === (question.range === undefined ? 200 : 206)) return answer;
  if (status === 204 && method === "DELETE") return answer;
  const text = await textOf(answer);
  const code = elementOf(text, "Code");
  // HEAD has no body that says what is missing.
  if (status === 404 && (code === MISSING || method === "HEAD")) return null;
  throw new Error(
    [`status ${status}`, code, elementOf(text, "Message")].filter(Boolean).join(", "),
  );
}

/** Every call may be repeated: a kept connection may have ended as it was sent. */
async function sendAgain(
  bucket: S3Bucket,
  question: S3Question,
  signal: AbortSignal,
): Promise<PartsAnswer> {
  try {
    return await send(bucket, question, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return send(bucket, question, signal);
  }
}

function send(
  bucket: S3Bucket,
  { method, key = "", query = {}, body, range, callMsMax = CALL_MS_MAX }: S3Question,
  signal: AbortSignal,
): Promise<PartsAnswer> {
  const url = urlOf(bucket, key, query);
  const sha256 =
    body === undefined
      ? NO_BODY_SHA256
      : new Bun.CryptoHasher("sha256").update(body.bytes).digest("hex");
  return callForParts({
    method,
    url: url.href,
    headers: {
      ...signatureOf({ method, url, sha256 }, bucket, realClock.now()),
      "accept-encoding": "identity",
      ...(body === undefined ? {} : { "content-type": body.type }),
      ...(range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }),
    },
    ...(body === undefined ? {} : { body: body.bytes }),
    silenceMs: callMsMax,
    signal,
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
