// The statuses of all nouns as Markdown: what each means and leads to, with a diagram where commands set it.

import type { Life } from "#kernel/machine.ts";
import type { States } from "#platform/http/contract/states.ts";

/** A section for each status; the headings are one level below those of a guide. */
export function livesText(lives: readonly States[]): string {
  return lives.map(sectionOf).join("\n\n");
}

function sectionOf({ name, about, meanings, life }: States): string {
  const heading = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  const title = heading.charAt(0).toUpperCase() + heading.slice(1);
  const rows = Object.entries(meanings).map(([state, means]) =>
    life === null
      ? `| \`${state}\` | ${means} |`
      : `| \`${state}\` | ${means} | ${leadsTo(life, state)} |`,
  );
  const head = life === null ? "| status | means |\n| --- | --- |" : LIFE_HEAD;
  const diagram = life === null ? [] : [`\`\`\`mermaid\n${mermaidOf(life)}\n\`\`\``];
  return [`## ${title}`, about, ...diagram, `${head}\n${rows.join("\n")}`].join("\n\n");
}

const LIFE_HEAD = "| status | means | leads to |\n| --- | --- | --- |";

interface Step {
  readonly from: string;
  readonly to: string;
  /** The events that are emitted on the way, by whichever action. */
  readonly events: readonly string[];
}

/** The ways from one status to another, each once. */
function stepsOf(life: Life): Step[] {
  return Object.entries(life).flatMap(([from, arrows]) =>
    [...Map.groupBy(Object.values(arrows), ([to]) => to)].map(([to, all]) => ({
      from,
      to,
      events: [...new Set(all.flatMap(([, event]) => event ?? []))],
    })),
  );
}

function leadsTo(life: Life, state: string): string {
  const steps = stepsOf(life).filter(({ from, to }) => from === state && to !== state);
  if (steps.length === 0) return "nothing: it is the end";
  return steps.map(toldStep).join(", ");
}

function toldStep({ to, events }: Step): string {
  if (events.length === 0) return `\`${to}\``;
  return `\`${to}\` (${events.map((event) => `\`${event}\``).join(" or ")})`;
}

/** The diagram without the steps that change nothing. */
function mermaidOf(life: Life): string {
  const lines = stepsOf(life)
    .filter(({ from, to }) => from !== to)
    .map(
      ({ from, to, events }) =>
        `  ${from} --> ${to}${events.length === 0 ? "" : `: ${events.join(", ")}`}`,
    );
  return ["stateDiagram-v2", ...lines].join("\n");
}
