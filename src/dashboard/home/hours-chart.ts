// A day's takings by the hour, as SVG that is made here, with the same figures as a table.

import { scaleBand, scaleLinear } from "d3-scale";

import { type Html, html } from "#platform/html/html.ts";

import { en } from "../words/en.ts";

export interface Hour {
  /** Of the day in the shop's time zone, 0 to 23. */
  readonly hour: number;
  /** Minor units, at least 0. */
  readonly taken: number;
  /** The same a week before. */
  readonly before: number;
}

interface ChartTerms {
  /** What the picture says, for a reader who does not see it. */
  readonly title: string;
  /** The hour that it is. */
  readonly now: number;
  readonly weekday: string;
  readonly print: (amountMinor: number) => string;
}

const WIDTH = 360;
const HEIGHT = 120;
const FOOT = 18;
/** A label each so many hours, so that they do not touch on a phone. */
const LABEL_EACH = 3;

/** The chart with its legend and its table. */
export function hoursChart(hours: readonly Hour[], terms: ChartTerms): Html {
  return html`<figure>
      ${drawing(hours, terms)}
      <figcaption>
        <span><i></i>${en.home.today}</span
        ><span><i class="then"></i>${en.home.last(terms.weekday)}</span>
      </figcaption>
    </figure>
    ${table(hours, terms)}`;
}

function drawing(hours: readonly Hour[], { title, now, print }: ChartTerms): Html {
  const x = scaleBand<number>()
    .domain(hours.map(({ hour }) => hour))
    .range([0, WIDTH])
    .padding(0.28);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...hours.flatMap(({ taken, before }) => [taken, before]))])
    .nice(3)
    .range([HEIGHT - FOOT, 6]);
  const left = (hour: number) => x(hour) ?? 0;
  const bar = (look: "bar" | "before", hour: number, amount: number) =>
    amount > 0 &&
    html`<rect
      class="${look}"
      x="${left(hour).toFixed(1)}"
      y="${y(amount).toFixed(1)}"
      width="${x.bandwidth().toFixed(1)}"
      height="${(y(0) - y(amount)).toFixed(1)}"
      rx="2"
    >
      <title>${nameOf(hour)}: ${print(amount)}</title>
    </rect>`;
  const nowAt = (left(now) + x.bandwidth() / 2).toFixed(1);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
    <path class="axis" d="M0 ${y(0)}H${WIDTH}" />
    ${hours.map(({ hour, taken, before }) => [bar("before", hour, before), bar("bar", hour, taken), hour % LABEL_EACH === 0 && label(left(hour) + x.bandwidth() / 2, hour)])}
    <path class="now" d="M${nowAt} 2V${y(0)}" />
  </svg>`;
}

function label(at: number, hour: number): Html {
  return html`<text x="${at.toFixed(1)}" y="${HEIGHT - 4}" text-anchor="middle"
    >${nameOf(hour)}</text
  >`;
}

function table(hours: readonly Hour[], { weekday, print }: ChartTerms): Html {
  const told = hours.filter(({ taken, before }) => taken > 0 || before > 0);
  return html`<details class="figures">
    <summary>${en.home.figures}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">${en.home.hour}</th>
          <th scope="col" class="end">${en.home.today}</th>
          <th scope="col" class="end">${en.home.last(weekday)}</th>
        </tr>
      </thead>
      <tbody>
        ${told.map(
          ({ hour, taken, before }) =>
            html`<tr>
              <th scope="row">${nameOf(hour)}</th>
              <td class="end">${print(taken)}</td>
              <td class="end">${print(before)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function nameOf(hour: number): string {
  return `${hour}:00`;
}
