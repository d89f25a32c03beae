// The Markdown of guides and descriptions as HTML. Invariant: the text is never HTML, and its links lead to this server or
// to an http address.

import { type Html, trusted } from "#platform/html/html.ts";

/** The text is written by us: what Markdown makes of it is HTML. */
export function markdownHtml(markdown: string): Html {
  const text = Bun.markdown.html(markdown, {
    noHtmlBlocks: true,
    noHtmlSpans: true,
    headings: { ids: true },
  });
  const served = new HTMLRewriter()
    .on("a[href]", {
      element(link) {
        link.setAttribute("href", servedAddress(link.getAttribute("href") ?? ""));
      },
    })
    .on("img[src]", {
      element(picture) {
        picture.setAttribute("src", servedAddress(picture.getAttribute("src") ?? ""));
      },
    })
    // Wider than a phone, they are scrolled, also with the keyboard alone.
    .on("pre", { element: (code) => void code.setAttribute("tabindex", "0") })
    .on("table", {
      element(wide) {
        wide.before('<div class="wide" tabindex="0">', { html: true });
        wide.after("</div>", { html: true });
      },
    })
    .transform(text);
  return trusted(served);
}

/** Beside each other, guides name each other's files; served, they name their pages. */
function servedAddress(address: string): string {
  if (/^(?:#|\/(?!\/)|https?:\/\/)/.test(address)) return address;
  const guide = /^([a-z]+(?:-[a-z]+)*)\.md(#.*)?$/.exec(address);
  if (guide !== null) return `/guides/${guide[1]}${guide[2] ?? ""}`;
  if (/^pictures\/[a-z-]+\.webp$/.test(address)) return `/guides/${address}`;
  throw new Error(`A guide leads to ${address}, which is no guide and no web address.`);
}

/** The text of a paragraph, without the paragraph. */
export function inlineMarkdown(markdown: string): Html {
  return trusted(markdownHtml(markdown).text.replaceAll(/<\/?p>\n?/g, ""));
}
