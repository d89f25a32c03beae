// The API reference over HTTP: `/docs`, and a page for each tag.

import { manualPolicy } from "#platform/html/manual-page.ts";
import type { OpenApiDocument } from "#platform/http/openapi/docs.ts";
import { mountPages, once, textPage, withPolicy } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";
import { lazy } from "#platform/process/lazy.ts";

import {
  INDEX_PATH,
  readReference,
  type Reference,
  type Section,
  sectionPath,
} from "./read-reference.ts";
import { REFERENCE_STYLE, renderReferenceIndex, renderSection } from "./reference-page.ts";

interface ReferenceTerms {
  /** The document, with the address at which the server is reached. */
  readonly document: () => OpenApiDocument;
  /** Its tags: there is a page of each before the document is made. */
  readonly tags: readonly string[];
  readonly publicUrl: () => string;
}

/** Adds the pages, all public. Each is made at its first request, and the document is read at the first of all. */
export function mountReference(app: Router, { document, tags, publicUrl }: ReferenceTerms): void {
  const reference = lazy(() => readReference(document()));
  const add = (path: string, render: (read: Reference) => string) => {
    const page = once(() => textPage(render(reference()), "text/html; charset=utf-8"));
    mountPages(app, {
      [path]: async (request) =>
        withPolicy(await page(), manualPolicy(request, publicUrl(), REFERENCE_STYLE)),
    });
  };
  add(INDEX_PATH, renderReferenceIndex);
  for (const tag of tags)
    add(sectionPath(tag), (read) => renderSection(read, sectionOf(read, tag)));
}

function sectionOf({ sections }: Reference, tag: string): Section {
  const section = sections.find((one) => one.tag === tag);
  if (section === undefined) throw new Error(`The document has no tag ${tag}.`);
  return section;
}
