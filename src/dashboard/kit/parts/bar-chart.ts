// Sums over time as bars, in an SVG that is made here, with the same figures as a table.

import { scaleBand, scaleLinear } from "d3-scale";

import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

export interface Bar {
  /** The hour or the day, as the table and the tip of the bar name it. */
  readonly name: string;
  /** The text below the bar; null for one without a label, so that labels do not touch on a phone. */
  readonly label: string | null;
  /** Minor units, at least 0. */
  readonly amount: number;
  /** The same of the time that it is compared with. */
  readonly before?: number;
}

interface ChartTerms {
  /** The meaning of the picture, for a reader who does not see it. */
  readonly title: string;
  /** The heads of the table's columns: the time, the amount, and what it is compared with. */
  readonly columns: readonly [time: string, amount: string, before?: string];
  /** The bar of the present, by its place. */
  readonly now?: number;
  readonly print: (amountMinor: number) => string;
}

const WIDTH = 360;
const HEIGHT = 120;
const FOOT = 18;

/** The chart with its table, and with a legend where two times are compared. */
export function barChart(bars: readonly Bar[], terms: ChartTerms): Html {
  const [, amount, before] = terms.columns;
  return html`<figure>
      ${drawing(bars, terms)}
      ${
        before !== undefined &&
        html`<figcaption>
          <span><i></i>${amount}</span><span><i class="then"></i>${before}</span>
        </figcaption>`
      }
    </figure>
    ${table(bars, terms)}`;
}

function drawing(bars: readonly Bar[], { title, now, print }: ChartTerms): Html {
  const x = scaleBand<number>()
    .domain(bars.map((_, place) => place))
    .range([0, WIDTH])
    .padding(0.28);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...bars.flatMap(({ amount, before = 0 }) => [amount, before]))])
    .nice(3)
    .range([HEIGHT - FOOT, 6]);
  const left = (place: number) => x(place) ?? 0;
  const middle = (place: number) => left(place) + x.bandwidth() / 2;
  const rect = (look: "bar" | "before", place: number, [name, amount]: readonly [string, number]) =>
    amount > 0 &&
    html`<rect
      class="${look}"
      x="${left(place).toFixed(1)}"
      y="${y(amount).toFixed(1)}"
      width="${x.bandwidth().toFixed(1)}"
      height="${(y(0) - y(amount)).toFixed(1)}"
      rx="2"
    >
      <title>${name}: ${print(amount)}</title>
    </rect>`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
    <path class="axis" d="M0 ${y(0)}H${WIDTH}" />
    ${bars.map(({ name, label, amount, before = 0 }, place) => [
      rect("before", place, [name, before]),
      rect("bar", place, [name, amount]),
      label !== null && textBelow(middle(place), label),
    ])}
    ${now !== undefined && html`<path class="now" d="M${middle(now).toFixed(1)} 2V${y(0)}" />`}
  </svg>`;
}

function textBelow(at: number, label: string): Html {
  return html`<text x="${at.toFixed(1)}" y="${HEIGHT - 4}" text-anchor="middle">${label}</text>`;
}

function table(bars: readonly Bar[], { columns, print }: ChartTerms): Html {
  const [time, amount, before] = columns;
  const told = bars.filter((bar) => bar.amount > 0 || (bar.before ?? 0) > 0);
  return html`<details class="figures">
    <summary>${en.figures}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">${time}</th>
          <th scope="col" class="end">${amount}</th>
          ${before !== undefined && html`<th scope="col" class="end">${before}</th>`}
        </tr>
      </thead>
      <tbody>
        ${told.map(
          (bar) =>
            html`<tr>
              <th scope="row">${bar.name}</th>
              <td class="end">${print(bar.amount)}</td>
              ${bar.before !== undefined && html`<td class="end">${print(bar.before)}</td>`}
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
