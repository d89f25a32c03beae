// Responses of the dashboard: pages, and ways to the next one.

import type { Download, PageContent } from "#dashboard/kit/forms/form.ts";
import { withNamedFaults } from "#dashboard/kit/parts/note.ts";
import { type Html, html } from "#platform/html/html.ts";
import { chooseCoding, codedTag, compressNow } from "#platform/http/content-coding.ts";
import { isUnchanged } from "#platform/http/contract/answer.ts";

import { bareFrame, frame } from "./frame.ts";
import { pageHeaders } from "./headers.ts";
import type { Visit } from "./visit.ts";

/** A page of a visitor. It is asked for again on each use; one with a secret or a refusal is not kept at all. */
export function pageResponse(visit: Visit, shown: PageContent): Response {
  const { status = 200, isSecret = false } = shown;
  const isKept = status === 200 && !isSecret && visit.request.method !== "POST";
  return htmlResponse(visit.request, frame(visit, shown), { status, isKept });
}

/** A page that needs no session. */
export function bareResponse(
  request: Request,
  { title, body, status = 200 }: PageContent,
  cookies: readonly string[] = [],
): Response {
  const response = htmlResponse(request, bareFrame(title, body), { status, isKept: false });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** A file that the browser keeps in place of showing it. No cache keeps it. `onFault` is told what breaks it off. */
export function fileResponse(
  { name, type, text }: Download,
  onFault: (error: unknown) => void,
): Response {
  return new Response(typeof text === "string" ? text : streamOf(text, onFault), {
    headers: {
      ...pageHeaders,
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** One part at a time, as the browser takes them. */
function streamOf(
  text: AsyncIterable<string>,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const parts = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const part = await parts.next();
        if (part.done === true) controller.close();
        else controller.enqueue(encoder.encode(part.value));
      } catch (error) {
        onFault(error);
        controller.error(error);
      }
    },
    cancel: async () => {
      await parts.return?.();
    },
  });
}

/** A page of one sentence, for what no session is asked for. */
export function plainPage(status: number, title: string, what: string): Response {
  return barePage(
    status,
    title,
    html`<p>${what}</p>
      <p><a class="button" href="/dashboard">Dashboard</a></p>`,
  );
}

/** A page without the dashboard's navigation. */
export function barePage(status: number, title: string, body: Html): Response {
  return new Response(bareFrame(title, body), {
    status,
    headers: { ...pageHeaders, "Cache-Control": "no-store" },
  });
}

/** Leads to a page with GET, whatever led here. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    Location: location,
    "Cache-Control": "no-store",
    // Also here: a page of another policy could hold a window that such an answer opens.
    "Cross-Origin-Opener-Policy": "same-origin",
  });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

function htmlResponse(
  request: Request,
  page: string,
  { status, isKept }: { readonly status: number; readonly isKept: boolean },
): Response {
  const text = status < 400 ? page : withNamedFaults(page);
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const plain = `"${Bun.hash(text).toString(36)}"`;
  const etag = coding === null ? plain : codedTag(plain, coding);
  const headers: Record<string, string> = {
    ...pageHeaders,
    "Cache-Control": isKept ? "private, no-cache" : "no-store",
    Vary: "Accept-Encoding, Cookie",
    ...(isKept ? { ETag: etag } : {}),
  };
  if (isKept && isUnchanged(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  if (coding === null) return new Response(text, { status, headers });
  const bytes = new Uint8Array(compressNow(text, coding));
  return new Response(bytes, { status, headers: { ...headers, "Content-Encoding": coding } });
}
