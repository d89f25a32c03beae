// The frame of every page on which somebody pays: one document, its own style, nothing fetched.

export interface HtmlDocument {
  readonly title: string;
  readonly style: string;
  /** HTML; whoever writes it has escaped what is not. */
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
