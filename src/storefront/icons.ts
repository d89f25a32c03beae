// The pictures of the shop's pages, drawn on a grid of 24.

import { type Html, html } from "#platform/html/html.ts";

const paths = {
  find: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  bag: "M5 8h14l1 12H4zM8.500 8V7a3.500 3.500 0 0 1 7 0v1",
  van: "M3 7h11v9H3zM14 10h4l3 3v3h-7zM7 18.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM17 18.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
  phone: "M8 3h8v18H8zM11 18h2",
  stall:
    "M4 10l1.500-6h13L20 10M5 10v10h14V10M4 10c0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0",
  goods: "M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8",
} as const;

export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${paths[name]}" />
  </svg>`;
}
