// The style of the test page: that of all payment pages, plus its own elements.

import { SUMS_STYLE } from "#pay-page/sums.ts";
import { PAGE_STYLE } from "#platform/html/page-style.ts";

export const TEST_PAGE_STYLE = `${PAGE_STYLE}${SUMS_STYLE}
.declined h1, .cancelled h1 { font-weight: 700; color: var(--stop); }
.reference { align-self: center; font-size: .8125rem; }
label { display: block; margin-bottom: .35rem; font-size: .9375rem; color: var(--faint); }
button.decline { color: var(--stop); border-color: var(--stop); width: auto; }
.together { display: flex; gap: .5rem; }
.together select { flex: 1; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
`;
