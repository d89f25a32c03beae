// The pictures of the dashboard, drawn on a grid of 24; a page carries those that it shows.

import { type Html, html } from "#platform/html/html.ts";

const paths = {
  home: "M4 11 12 4l8 7M6 10v9h12v-9M10 19v-5h4v5",
  orders: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  goods: "M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8",
  customer:
    "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20c.6-3.500 3.600-5.500 7.500-5.500s6.900 2 7.500 5.500",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c.5-4 3-6 6-6s5.500 2 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500M17.500 14.500c2 .8 3.200 2.700 3.500 5.500",
  more: "M4 7h16M4 12h16M4 17h10",
  stock: "M4 20V9l8-5 8 5v11M8 20v-8h8v8M8 16h8",
  carts: "M3 5h2.500l2 10h9.500l2-7H6.500M9 20h.01M16 20h.01",
  money: "M3 7h18v10H3zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM6 10v4M18 10v4",
  chart: "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  card: "M3 6h18v12H3zM3 10h18M7 15h3",
  keys: "M15 9.500a4.500 4.500 0 1 0-3.800 4.400L13 15.500h2v2h2v2.500h3.500V17l-6-5.800c.3-.5.5-1.100.5-1.700zM9.500 8.500h.01",
  hooks:
    "M12 8a3 3 0 1 1 2.600 3l-3 5.500M9 18a3 3 0 1 1-2-3.800M9.500 17H16a3 3 0 1 1 2.500 1.500M12.500 8 9 14",
  feed: "M5 5v14M9 7h10M9 12h10M9 17h6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  inbox: "M4 13l2.500-8h11L20 13v6H4zM4 13h5l1 2.500h4l1-2.500h5",
  ready: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.500l2.800 2.800L16 9.500",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100",
  find: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.500 4.500",
  on: "M9 6l6 6-6 6",
  back: "M15 6l-6 6 6 6",
  down: "M6 9l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  print: "M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z",
  call: "M6 4h3l1.500 4.500-2 1.500a11 11 0 0 0 5.500 5.500l1.500-2L20 15v3a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z",
  chat: "M4 20l1.300-4A8 8 0 1 1 8 18.800zM9 11h.01M12 11h.01M15 11h.01",
  mail: "M3 6h18v12H3zM4 7l8 6 8-6",
  dots: "M5.500 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M11.500 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M17.500 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  send: "M4 12l16-8-6 16-2.500-6.500z",
  calls: "M4 8h13l-3-3M20 16H7l3 3",
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${paths[name]}" />
  </svg>`;
}
