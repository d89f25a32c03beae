// Where a browser shows the parts of a text: letters that are written from the right can move what stands beside them.

import type { Page } from "playwright-core";

/** Runs in the page. */
const SCRIPT = `(selector, parts) => {
  const holder = [...document.querySelectorAll(selector)]
    .find((one) => parts.every((part) => one.textContent.includes(part)));
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  const placed = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const part of parts) {
      const at = node.data.indexOf(part);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + part.length);
      placed.push({ part, left: range.getBoundingClientRect().left });
    }
  }
  return placed.sort((one, other) => one.left - other.left).map(({ part }) => part);
}`;

/** The parts of the text of the first such element that has them all, from left to right as they are seen. */
export function seenOrder(
  page: Page,
  selector: string,
  parts: readonly string[],
): Promise<readonly string[]> {
  return page.evaluate(`(${SCRIPT})(${JSON.stringify(selector)}, ${JSON.stringify(parts)})`);
}
