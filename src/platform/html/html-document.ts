// The HTML document of every payment page: one file with its own style that loads nothing.

export interface HtmlDocument {
  readonly title: string;
  readonly style: string;
  /** HTML, already escaped. */
  readonly body: string;
}

/** The whole document; the title is escaped here. */
export function htmlDocument({ title, style, body }: HtmlDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${Bun.escapeHTML(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
