// The HTML document of a page without scripts: one file with its own style that loads nothing.

import { type Html, html, trusted } from "./html.ts";

export interface HtmlDocument {
  /** BCP 47, of the texts; English without it. */
  readonly language?: string;
  readonly title: string;
  readonly style: string;
  readonly body: Html;
}

/** The whole document. */
export function htmlDocument({ language = "en", title, style, body }: HtmlDocument): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}
