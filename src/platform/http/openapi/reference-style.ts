// How the reference looks before its script runs, and the error reference beside it: colors and
// measures of the script's own theme. Every rule stays inside `.reference`, because the script's page
// would inherit others.

export const REFERENCE_STYLE = `
.reference {
  color-scheme: light dark;
  --ground: light-dark(#fff, #0f0f0f);
  --raised: light-dark(#f6f6f6, #1a1a1a);
  --line: light-dark(#dfdfdf, #2d2d2d);
  --ink: light-dark(#1b1b1b, #e7e7e7);
  --faint: light-dark(#6b6b6b, #a4a4a4);
  --blue: light-dark(#0070b4, #4eb3ff);
  --green: light-dark(#057a52, #00b648);
  --orange: light-dark(#b84a00, #ff8d4d);
  --red: light-dark(#c8000a, #ff7b78);
  box-sizing: border-box; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 16px/1.625 Inter, ui-sans-serif, system-ui, sans-serif; overflow-wrap: break-word;
}
.reference *, .reference ::before { box-sizing: inherit; }
.reference a { color: inherit; text-underline-offset: .25em; text-decoration-color: var(--faint); }
.reference p, .reference ul, .reference pre { margin: 1rem 0; }
.reference h1 { margin: .25rem 0 1rem; font-size: 1.5rem; line-height: 1.3; font-weight: 600; }
.reference h2 { margin: 3.5rem 0 1rem; font-size: 1.25rem; line-height: 1.3; font-weight: 600; }
.reference code, .reference pre { font: .8125em/1.6 "JetBrains Mono", ui-monospace, monospace; }
.reference code { padding: .1em .3em; border: 1px solid var(--line); border-radius: .25rem; background: var(--raised); }
.reference pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
.reference pre code { padding: 0; border: 0; font-size: .8125rem; }
.reference nav { padding: 1rem .75rem; border-bottom: 1px solid var(--line); font-size: .875rem; }
.reference nav ul { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; }
.reference nav a { display: block; padding: .3rem .5rem; border-radius: .25rem; color: var(--faint); text-decoration: none; }
.reference nav a:hover, .reference nav [aria-current] { color: var(--ink); background: var(--raised); }
.reference nav strong { display: block; padding: .3rem .5rem; font-weight: 600; }
.reference main { padding: 2rem 1.25rem 4rem; }
.reference .badges { display: flex; gap: .375rem; margin: 0; font-size: .8125rem; color: var(--faint); }
.reference .badges span { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--raised); }
.reference .faint { color: var(--faint); }
@media (min-width: 62.5rem) {
  .reference { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  .reference nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  .reference nav ul { display: block; }
  .reference main { width: 100%; max-width: 56rem; padding: 5.5rem 3.75rem 50vh; }
}
`;
