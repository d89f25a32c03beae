// Posts of a face to a shop, and to its own pages.

import { openAsk, type Question, type Reply } from "#platform/net/ask.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

/** Milliseconds. */
const POST_MS = 30_000;

const ask = openAsk();

type Body = NonNullable<Question["body"]> & { readonly headers?: Headers };

/** The answer; what is not there is as good as an answer without a status. */
export function postTo(url: string, { headers, ...body }: Body): Promise<Reply> {
  return ask({
    method: "POST",
    url,
    headers: Object.fromEntries(headers ?? []),
    body,
    reach: alsoLoopback,
    reads: "whole",
    timeoutMs: POST_MS,
  });
}
