// Lines of emitted source: indentation and doc comments.

const LINE_LENGTH_MAX = 92;

/** Every line but the first, two spaces further in. */
export function indented(text: string): string {
  return text.replaceAll(/\n(?=.)/g, "\n  ");
}

/** A doc comment with its line break; text of Markdown paragraphs is wrapped. */
export function comment(text: string): string {
  const safe = text.trim().replaceAll("*/", "*\\/");
  if (safe.length <= LINE_LENGTH_MAX && !safe.includes("\n")) return `/** ${safe} */\n`;
  const lines = safe.split("\n").flatMap(wrapped);
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function wrapped(paragraph: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + word.length >= LINE_LENGTH_MAX) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
