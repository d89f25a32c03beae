// The guide of states: what each status means and leads to, as text for machines and with pictures on the page.

import { expect, test } from "bun:test";

import { withDiagrams } from "#guides/diagrams.ts";
import { fillGuide } from "#guides/fill-guide.ts";
import { livesText } from "#guides/lives.ts";
import { guideFacts } from "#interface.ts";
import { machine } from "#kernel/machine.ts";
import { computedStates, states } from "#platform/http/contract/states.ts";

import { sharedShop } from "../support/shop.ts";

const shop = sharedShop();

const doorLife = machine({
  open: { shut: ["shut", "door.shut"], slam: ["shut", null], hold: ["open", null] },
  shut: {},
});
const door = states(
  { name: "DoorStatus", about: "How the door stands.", life: doorLife },
  { open: "Anyone may come in.", shut: "It stays so." },
);

test("a status without a sentence does not compile", () => {
  const about = { name: "DoorStatus", about: "How the door stands.", life: doorLife };

  // @ts-expect-error nothing is said of `shut`
  const made = states(about, { open: "Anyone may come in." });

  expect(made.schema).toMatchObject({ enum: ["open"], "x-component": "DoorStatus" });
});

test("a life is told as a diagram of Mermaid and as a table, each step once", () => {
  expect(livesText([door])).toBe(`## Door status

How the door stands.

\`\`\`mermaid
stateDiagram-v2
  open --> shut: door.shut
\`\`\`

| status | means | leads to |
| --- | --- | --- |
| \`open\` | Anyone may come in. | \`shut\` (\`door.shut\`) |
| \`shut\` | It stays so. | nothing: it is the end |`);
});

test("a computed status is told by its formula and without a diagram", () => {
  const computed = computedStates(
    { name: "Light", about: "On where the door is open." },
    { on: "Bright." },
  );

  expect(livesText([computed])).toBe(
    "## Light\n\nOn where the door is open.\n\n| status | means |\n| --- | --- |\n| `on` | Bright. |",
  );
});

test("a page shows the diagram as a picture that says what it shows", async () => {
  const page = await withDiagrams(
    '<pre><code class="language-mermaid">stateDiagram-v2\n  open --&gt; shut: door.shut\n</code></pre>',
  );

  expect(page).toContain('role="img"');
  expect([...page.matchAll(/<text[^>]*>\s*([\w.]+)\s*<\/text>/g)].map(([, text]) => text)).toEqual([
    "door.shut",
    "open",
    "shut",
  ]);
  expect(page).not.toContain("mermaid");
});

test("the guide has the lives of the whole shop, and its page draws each", async () => {
  const text = fillGuide("<!-- lives -->", guideFacts([]));
  const page = await fetch(`${shop.url}/guides/states`);

  const diagrams = text.split("```mermaid").length - 1;

  expect(diagrams).toBe(8);
  expect((await page.text()).split("<svg").length - 1).toBe(diagrams);
});
