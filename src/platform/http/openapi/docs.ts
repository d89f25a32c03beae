// Serves the documentation without any request to other servers. scalar.js.gz is
// dist/browser/standalone.js of @scalar/api-reference 1.72.1 (MIT).

import { Elysia } from "elysia";

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { CLOSED_POLICY, ownPaths } from "#platform/html/html-document.ts";
import { manualPolicy } from "#platform/html/manual-page.ts";
import scalarPath from "#platform/http/openapi/scalar.js.gz" with { type: "file" };
import { mountPages, once, type Page, textPage, withPolicy } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";

import { ERRORS_STYLE, renderErrorsPage } from "./errors-page.ts";

/** Requires what swagger would otherwise fill in itself. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    title: string;
    description: string;
    version: string;
    license?: { name: string; identifier: string };
    contact?: { name: string };
  };
  readonly paths: Record<string, object>;
  readonly components: { schemas: Record<string, object>; [part: string]: object };
  readonly [part: string]: unknown;
}

export interface DocsOptions {
  readonly document: OpenApiDocument;
  readonly refusals: readonly RefusalDefinition[];
  /** The address of the server; callers read problem documents that lead to it. */
  readonly url: string;
}

/** SHA-256 of the unpacked script; its URL changes with it. */
const SCRIPT_SHA256 = "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c";
const SCRIPT_VERSION = SCRIPT_SHA256.slice(0, 16);
const SCRIPT_PATH = "/assets/scalar.js";
const DOCUMENT_PATH = "/openapi.json";

/**
 * The script sets styles at run time, so they cannot be listed by hash. It needs localStorage, so the page
 * cannot be sandboxed; requests go to the documented paths alone.
 */
function pagePolicy(request: Request, publicUrl: string): string {
  const own = (...paths: string[]) => ownPaths(request, { publicUrl, paths });
  return [
    "default-src 'none'",
    // The hash of the script element that carries the settings; its text is white space.
    `script-src ${own(SCRIPT_PATH)} 'sha256-TcUB1mzXiQO4GxpTRZ0EMpOXKMU3u+n/q1WrgVIcs1I='`,
    "style-src 'unsafe-inline'",
    `connect-src ${own("/v2/", DOCUMENT_PATH)}`,
    "img-src data: blob:",
    "font-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Switches off everything that contacts other services, and does not store API keys. */
const pageSettings = {
  spec: { url: DOCUMENT_PATH },
  // Requests go to the host of the page: the policy allows no other, whatever the public URL is.
  servers: [{ url: "/" }],
  theme: "default" as const,
  customCss: "",
  favicon: "data:,",
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** Adds `/docs/try`, `/docs/json`, `/docs/errors`, `/openapi.json` and the script of the first, all public. */
export function mountDocs(app: Router, options: DocsOptions): void {
  const document = once(() => jsonPage(options.document));
  const client = once(() => clientPage(options.document));
  const errors = once(() => errorsPage(options));
  mountPages(app, {
    "/docs/try": async (request) => withPolicy(await client(), pagePolicy(request, options.url)),
    "/docs/json": document,
    "/docs/errors": async (request) =>
      withPolicy(await errors(), manualPolicy(request, options.url, ERRORS_STYLE)),
    [DOCUMENT_PATH]: document,
    [SCRIPT_PATH]: scriptPage,
  });
}

/** Swagger inserts title and description into its page without escaping. */
async function clientPage(document: OpenApiDocument): Promise<Page> {
  const info = {
    ...document.info,
    title: Bun.escapeHTML(document.info.title),
    description: Bun.escapeHTML(document.info.description),
  };
  const html = await fromSwagger({ ...document, info }, "/docs");
  return textPage(whileLoading(html, document.info.description), "text/html; charset=utf-8");
}

async function jsonPage(document: OpenApiDocument): Promise<Page> {
  return textPage(await fromSwagger(document, "/docs/json"), "application/json", CLOSED_POLICY);
}

function errorsPage(options: DocsOptions): Page {
  const { document, refusals, url } = options;
  const title = document.info.title;
  const page = renderErrorsPage({ title, refusals, errorsUrl: `${url}/docs/errors` });
  return textPage(page, "text/html; charset=utf-8");
}

/**
 * Swagger lists every route of its router, so it gets a router of its own. It is loaded at the first request for
 * a page of the documentation: loading it takes a third of the time in which the program starts.
 */
async function fromSwagger(documentation: OpenApiDocument, path: string): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const router = new Elysia().use(
    swagger({
      path: "/docs",
      documentation,
      scalarCDN: `${SCRIPT_PATH}?v=${SCRIPT_VERSION}`,
      scalarConfig: pageSettings,
    }),
  );
  const response = await router.handle(new Request(`http://localhost${path}`));
  return response.text();
}

/** The script as stored, or decompressed for callers that do not accept gzip. */
function scriptPage(request: Request): Page {
  const isCurrent = new URL(request.url).searchParams.get("v") === SCRIPT_VERSION;
  const packed = Bun.file(scalarPath);
  return {
    body: () => {
      const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
      return new Response(unpacked).blob();
    },
    codings: { gzip: () => packed },
    etag: `"${SCRIPT_VERSION}"`,
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Content-Security-Policy": CLOSED_POLICY,
      ...(isCurrent && { "Cache-Control": "public, max-age=31536000, immutable" }),
    },
  };
}

/** Shown until the script has run, which takes seconds, and without scripts: a way to the reference that needs none. */
const NOTICE_STYLE = `
#loading { max-width: 32rem; margin: 4rem auto; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif; }
body:has([data-v-app] :is(h1, h2)) #loading { display: none; }
`;

const NOTICE = `<p id="loading">This page sends requests from the browser. It is loading, and needs JavaScript. <a href="/docs">The API reference</a> does not.</p>`;

/** The page that loads the script, which the browser shows before it has it. */
function whileLoading(page: string, description: string): string {
  const [summary = ""] = description.trim().split("\n\n");
  return new HTMLRewriter()
    .on("html", { element: (html) => void html.setAttribute("lang", "en") })
    .on("meta[content][name$=description]", {
      element: (meta) => void meta.setAttribute("content", Bun.escapeHTML(summary)),
    })
    .on("head", {
      element: (head) => void head.append(`<style>${NOTICE_STYLE}</style>`, { html: true }),
    })
    .on("body", { element: (body) => void body.prepend(NOTICE, { html: true }) })
    .on("script[src]", { element: (script) => void script.setAttribute("defer", "") })
    .transform(page);
}
