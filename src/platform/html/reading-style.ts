// How pages look that are read: guides and explanations, on a phone or a wide screen, light or dark.

export const READING_STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
a { color: light-dark(#0b57b0, #8ab8ff); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
`;
