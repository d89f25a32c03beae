// How the page of an order looks beside what all pages of links have in common.

export const ORDER_STYLE = `
.order { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; overflow-wrap: anywhere; }
.order h1 { display: grid; gap: .15rem; }
.order h1 .headline { font-size: 2rem; line-height: 1.15; font-weight: 700; color: var(--ink); }
.paid .order .headline { color: var(--done); }
.cancelled .order .headline { color: var(--stop); }
.paid .order h1, .cancelled .order h1 { font-weight: 500; color: var(--faint); }
.order h2 { margin: 0 0 .5rem; font-size: .9375rem; font-weight: 600; }
.order .top { display: grid; gap: .5rem; }
.way-of { display: flex; }
.way-of li { flex: 1; position: relative; padding-top: 1.4rem; font-size: .875rem; line-height: 1.35; overflow-wrap: break-word; color: var(--faint); }
.way-of li::before { content: ""; position: absolute; top: .45rem; left: 0; right: 0; height: 2px; background: color-mix(in srgb, var(--line) 35%, transparent); }
.way-of li:last-child::before { right: auto; width: 1rem; }
.way-of li::after { content: ""; position: absolute; top: 0; left: 0; width: 1rem; height: 1rem; border: 2px solid var(--line); border-radius: 50%; background: var(--sheet); }
.way-of .done { color: var(--ink); }
.way-of .done:not(:last-child)::before { background: var(--done); }
.way-of .done::after { border-color: var(--done); background: var(--done); }
.way-of .stopped::after { border-color: var(--stop); background: var(--stop); }
.way-of strong { display: block; font-weight: 600; }
.pay-now { display: grid; gap: .75rem; }
.pay-now > h2 { margin-bottom: -.5rem; }
.pay-now .amount { font-size: 1.75rem; }
.parcel { padding: .9rem 1rem; border: 1px solid color-mix(in srgb, var(--line) 35%, transparent); border-radius: .6rem; }
.parcel + .parcel { margin-top: .75rem; }
.parcel h2 { margin-bottom: .25rem; }
.parcel p, .parcel li { font-size: .9375rem; overflow-wrap: anywhere; }
.parcel .number { color: var(--faint); }
.parcel .button { margin-top: .75rem; }
.account { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid color-mix(in srgb, var(--line) 35%, transparent); }
dl.settled div:last-child { font-size: inherit; font-weight: inherit; }
dl.settled div:last-child dt { color: var(--faint); }
.people { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1.25rem; }
.people address { font-style: normal; font-size: .9375rem; overflow-wrap: anywhere; }
.people address span { display: block; }
`;
