// The guides over HTTP: as pages for people, as Markdown for machines, and listed in /llms.txt.

import icon from "#dashboard/assets/icon.png" with { type: "file" };
import homePhone from "#guides/pictures/home-phone.webp" with { type: "file" };
import home from "#guides/pictures/home.webp" with { type: "file" };
import orderPage from "#guides/pictures/order-page.webp" with { type: "file" };
import order from "#guides/pictures/order.webp" with { type: "file" };
import orders from "#guides/pictures/orders.webp" with { type: "file" };
import paymentPage from "#guides/pictures/payment-page.webp" with { type: "file" };
import store from "#guides/pictures/store.webp" with { type: "file" };
import { manualPolicy, SEARCH_PATH } from "#platform/html/manual-page.ts";
import { mountPages, once, type Page, textPage, withPolicy } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";
import { lazy } from "#platform/process/lazy.ts";

import { fillGuide, type GuideFacts } from "./fill-guide.ts";
import { GUIDE_STYLE, renderFound, renderGuide, renderIndex } from "./guide-page.ts";
import { type Guide, guides } from "./guide.ts";
import { QUESTION_LENGTH_MAX, searchOf } from "./search.ts";

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** The pictures of the guides, by the name of their file. */
const pictures: Readonly<Record<string, string>> = {
  "home-phone.webp": homePhone,
  "home.webp": home,
  "order-page.webp": orderPage,
  "order.webp": order,
  "orders.webp": orders,
  "payment-page.webp": paymentPage,
  "store.webp": store,
};

interface GuideTerms {
  readonly facts: () => GuideFacts;
  readonly publicUrl: () => string;
}

/** Adds `/guides`, a page and a text for each guide, their search, pictures and icon, and `/llms.txt`, all public. */
export function mountGuides(app: Router, { facts, publicUrl }: GuideTerms): void {
  const pageOf = (render: () => string | Promise<string>) => {
    const page = once(async () => textPage(await render(), HTML));
    return async (request: Request) => open(request, await page());
  };
  const open = (request: Request, page: Page) =>
    withPolicy(page, manualPolicy(request, publicUrl(), GUIDE_STYLE));
  const fill = (guide: Guide) => ({ ...guide, text: fillGuide(guide.text, facts()) });
  const find = lazy(() => searchOf(guides.map(fill), facts().refusals));
  mountPages(app, {
    "/guides": pageOf(renderIndex),
    [SEARCH_PATH]: (request) => {
      const question = new URL(request.url).searchParams.get("q")?.trim() ?? "";
      if (question === "" || question.length > QUESTION_LENGTH_MAX) return questionRefused();
      return open(request, textPage(renderFound(question, find()(question)), HTML));
    },
    // Browsers ask for it beside a page that names no icon.
    "/favicon.ico": once(() => picturePage(icon, "image/png")),
    "/llms.txt": once(() => textPage(listForMachines(guides), "text/plain; charset=utf-8")),
  });
  for (const guide of guides) {
    const filled = () => fill(guide);
    mountPages(app, {
      [`/guides/${guide.name}`]: pageOf(async () => {
        const { withDiagrams } = await import("./diagrams.ts");
        return withDiagrams(renderGuide(filled()));
      }),
      [`/guides/${guide.name}.md`]: once(() => textPage(filled().text, MARKDOWN)),
    });
  }
  for (const [name, path] of Object.entries(pictures)) {
    mountPages(app, { [`/guides/pictures/${name}`]: once(() => picturePage(path, "image/webp")) });
  }
}

function questionRefused(): Response {
  const text = `A search has 1 to ${QUESTION_LENGTH_MAX} characters.\n`;
  return new Response(text, {
    status: 400,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

async function picturePage(path: string, type: string): Promise<Page> {
  const bytes = await Bun.file(path).bytes();
  const etag = `"${Bun.hash(bytes).toString(36)}"`;
  const body = new Blob([bytes]);
  return { body: () => body, codings: {}, etag, headers: { "Content-Type": type } };
}

/** As https://llmstxt.org describes it. */
function listForMachines(listed: readonly Guide[]): string {
  const lines = listed.map(
    ({ name, title, summary }) => `- [${title}](/guides/${name}.md): ${summary}`,
  );
  return `# Duka

> A commerce service in one executable file: products, stock, customers, carts, orders, payments, webhooks and analytics behind a JSON REST API under /v2.

## Guides

${lines.join("\n")}

## Reference

- [OpenAPI 3.1 document](/openapi.json): every operation, schema and error code
- [Client](/client.ts): a typed client in one TypeScript file without dependencies
- [Errors](/docs/errors): every error code and its status
`;
}
