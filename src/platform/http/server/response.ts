// Makes the response of an answer: its media type and content coding, and 304 if the caller has it.

import {
  chooseCoding,
  CODED_LENGTH_MIN,
  codedTag,
  type Coding,
  compressNow,
} from "#platform/http/content-coding.ts";
import { type Answer, knownTag } from "#platform/http/contract/answer.ts";

/**
 * Characters from which the response to a write is compressed. A few KB arrive in one round trip
 * either way, and compressing 1.5 KB would make an order cost 10 % more processor time.
 */
const CODED_WRITE_LENGTH_MIN = 4_096;

type Headers = Readonly<Record<string, string>>;

const reads = new Set(["GET", "HEAD"]);

/** Headers that are no part of an answer that caches keep. */
const ofOneRequest = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];

/** The response to a request; `headers` are sent unless the answer has its own. */
export function toResponse(request: Request, answer: Answer, headers: Headers): Response {
  if (answer.status === 204) {
    return new Response(null, { status: 204, headers: { ...headers, ...answer.headers } });
  }
  const isRead = reads.has(request.method);
  const isSmall = answer.text.length < (isRead ? CODED_LENGTH_MIN : CODED_WRITE_LENGTH_MIN);
  const coding = chooseCoding(request.headers.get("accept-encoding"), { isSmall });
  const sent = sentHeaders(answer, { headers, isSmall });
  const { ETag: tag } = answer.headers;
  if (tag !== undefined) sent["ETag"] = coding === null ? tag : codedTag(tag, coding);
  const known = isRead && tag !== undefined ? knownTag(request, tag, coding) : undefined;
  if (known !== undefined) {
    // Who has the answer has its link to the next page, too.
    const { Link: _, ...told } = sent;
    return new Response(null, { status: 304, headers: { ...told, ETag: known } });
  }
  if (coding !== null) sent["Content-Encoding"] = coding;
  return new Response(coding === null ? answer.text : codedText(answer, coding), {
    status: answer.status,
    headers: { "Content-Type": mediaType(request, answer), ...sent },
  });
}

interface HeaderTerms {
  readonly headers: Headers;
  /** True if the text is too short to be compressed. */
  readonly isSmall: boolean;
}

function sentHeaders(answer: Answer, { headers, isSmall }: HeaderTerms): Record<string, string> {
  const { isShared = false } = answer;
  const sent = { ...headers, ...answer.headers };
  const coded = isSmall && !isShared ? undefined : "Accept-Encoding";
  const vary = [headers["Vary"], answer.headers["Vary"], coded].filter((one) => one !== undefined);
  if (vary.length > 0) sent["Vary"] = vary.join(", ");
  if (isShared) for (const name of ofOneRequest) delete sent[name];
  return sent;
}

function codedText({ text, coded }: Answer, coding: Coding): Uint8Array {
  const known = coded?.get(coding);
  if (known !== undefined) return known;
  const made = compressNow(text, coding);
  coded?.set(coding, made);
  return made;
}

/** RFC 9457's media type only for callers that accept it; otherwise errors are plain JSON. */
function mediaType(request: Request, { status }: Answer): string {
  if (status < 400) return "application/json";
  const accept = request.headers.get("accept")?.toLowerCase() ?? "";
  return accept.includes("application/problem+json")
    ? "application/problem+json"
    : "application/json";
}
