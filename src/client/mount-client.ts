// `/client.ts` and `/client.js`, and `/sandbox.mjs` and `/sandbox.py` of test suites. Invariant: they are the same for
// everybody and hold nothing of the shop, so pages of every origin may load them.

import type { OpenApiDocument } from "#platform/http/openapi/docs.ts";
import { mountPages, once, type Page, textPage } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";
import { suites } from "#sandbox/suite/suites.ts";

import { clientScript, clientSource } from "./emit-client.ts";

/** Adds the client of the document in both languages, emitted at the first request, and the files of suites. */
export function mountClient(app: Router, document: () => OpenApiDocument): void {
  mountPages(app, {
    // As text a browser shows it; Deno takes the language from the address.
    "/client.ts": once(() => openPage(clientSource(document()), "text/plain; charset=utf-8")),
    "/client.js": once(() => openPage(clientScript(document()), "text/javascript; charset=utf-8")),
    "/sandbox.mjs": once(() => openPage(suites.js, "text/javascript; charset=utf-8")),
    "/sandbox.py": once(() => openPage(suites.py, "text/plain; charset=utf-8")),
  });
}

function openPage(body: string, type: string): Page {
  const page = textPage(body, type);
  return { ...page, headers: { ...page.headers, "Access-Control-Allow-Origin": "*" } };
}
