// How the recovery page looks: as every page on which people pay, with a list of what they buy.

import { PAGE_STYLE } from "#platform/html/page-style.ts";

export const RECOVERY_PAGE_STYLE = `${PAGE_STYLE}
.cancelled h1 { font-weight: 700; color: var(--stop); }
ul { margin: 0; padding: 0; list-style: none; }
.lines li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.lines li:last-child { border-bottom: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
.name { min-width: 0; font-weight: 600; overflow-wrap: anywhere; }
.sum, dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.each { grid-column: 1 / -1; font-size: .875rem; color: var(--faint); }
.gone .name, .gone .each { color: var(--stop); }
dl div:last-child { font-size: 1.0625rem; font-weight: 700; }
dl div:last-child dt { color: inherit; }
.notice p + p { margin-top: .35rem; }
.remark { font-size: .875rem; color: var(--faint); text-align: center; }
`;
