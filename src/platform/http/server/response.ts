// Makes the response of an answer: its media type and content coding, and 304 if the caller has it.

import {
  chooseCoding,
  CODED_LENGTH_MIN,
  codedTag,
  type Coding,
  compressNow,
} from "#platform/http/content-coding.ts";
import { type Answer, isUnchanged } from "#platform/http/contract/answer.ts";

/**
 * Characters from which the response to a write is compressed. A few KB arrive in one round trip
 * either way, and compressing 1.5 KB would make an order cost 10 % more processor time.
 */
const CODED_WRITE_LENGTH_MIN = 4_096;

type Headers = Readonly<Record<string, string>>;

/** The response to a request; `headers` are sent unless the answer has its own. */
export function toResponse(request: Request, answer: Answer, headers: Headers): Response {
  if (answer.status === 204) {
    return new Response(null, { status: 204, headers: { ...headers, ...answer.headers } });
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isSmall = answer.text.length < (isRead ? CODED_LENGTH_MIN : CODED_WRITE_LENGTH_MIN);
  const coding = chooseCoding(request.headers.get("accept-encoding"), { isSmall });
  const sent: Record<string, string> = { ...headers, ...answer.headers };
  if (!isSmall) sent["Vary"] = [sent["Vary"], "Accept-Encoding"].filter(Boolean).join(", ");
  const tag = tagOf(answer, coding);
  if (tag !== undefined) sent["ETag"] = tag;
  const known = isRead ? knownTag(request, [tag, answer.headers["ETag"]]) : undefined;
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

/** A weak tag names what is told, not its bytes, so that it is the same in every coding. */
function tagOf({ headers: { ETag: tag } }: Answer, coding: Coding | null): string | undefined {
  return tag === undefined || coding === null || tag.startsWith("W/") ? tag : codedTag(tag, coding);
}

function codedText({ text, coded }: Answer, coding: Coding): Uint8Array {
  const known = coded?.get(coding);
  if (known !== undefined) return known;
  const made = compressNow(text, coding);
  coded?.set(coding, made);
  return made;
}

/**
 * The tag under which the caller has the representation. Without its coding, too: the response to the
 * write may have been too small to compress. No cache mixes the two, because none may store either.
 */
function knownTag(request: Request, tags: readonly (string | undefined)[]): string | undefined {
  const condition = request.headers.get("if-none-match");
  return tags.find((tag) => isUnchanged(condition, tag));
}

/** RFC 9457's media type only for callers that accept it; otherwise errors are plain JSON. */
function mediaType(request: Request, { status }: Answer): string {
  if (status < 400) return "application/json";
  const accept = request.headers.get("accept")?.toLowerCase() ?? "";
  return accept.includes("application/problem+json")
    ? "application/problem+json"
    : "application/json";
}
