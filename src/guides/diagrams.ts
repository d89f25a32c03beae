// Draws the state diagrams of guides as pictures, since their pages run no script: the Mermaid of a guide's text is what
// is drawn. The library that lays them out is loaded with the first page that has one.

import type { Graph } from "@dagrejs/dagre";

import { type Html, html } from "#platform/html/html.ts";

const DIAGRAM = /<pre[^>]*><code class="language-mermaid">stateDiagram-v2\n([^]*?)<\/code><\/pre>/g;

/** The page with a picture in place of each diagram. */
export async function withDiagrams(page: string): Promise<string> {
  if (!page.includes('class="language-mermaid"')) return page;
  const dagre = await import("@dagrejs/dagre");
  return page.replaceAll(DIAGRAM, (_, lines: string) => {
    const graph = new dagre.Graph();
    graph.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 32, marginx: 8, marginy: 8 });
    for (const step of lines.trim().split("\n").map(stepOf)) addStep(graph, step);
    dagre.layout(graph);
    return drawing(graph).text;
  });
}

interface Step {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** A line such as `open --> completed: order.paid`, as a page has it. */
function stepOf(line: string): Step {
  const [, from = "", to = "", label = ""] = /^\s*(\w+) --&gt; (\w+)(?:: (.+))?$/.exec(line) ?? [];
  if (from === "") throw new Error(`A diagram has a line that is no step: ${line}`);
  return { from, to, label };
}

/** Pixels of a character of a state, and of an event in its smaller letters. */
const STATE_CHARACTER = 8;
const LABEL_CHARACTER = 6.2;
const STATE_HEIGHT = 30;
const LABEL_HEIGHT = 16;

function addStep(graph: Graph, { from, to, label }: Step): void {
  for (const state of [from, to]) {
    const width = state.length * STATE_CHARACTER + 24;
    graph.setNode(state, { width, height: STATE_HEIGHT });
  }
  const place = { width: label.length * LABEL_CHARACTER, height: LABEL_HEIGHT, labelpos: "c" };
  graph.setEdge(from, to, label === "" ? { label } : { label, ...place });
}

function drawing(graph: Graph): Html {
  const { width = 0, height = 0 } = graph.graph();
  const steps = graph.edges().map((edge) => stepDrawing(graph.edge(edge)));
  const states = graph.nodes().map((state) => {
    const { x = 0, y = 0, width: wide = 0 } = graph.node(state);
    const corner = { x: rounded(x - wide / 2), y: rounded(y - STATE_HEIGHT / 2) };
    return html`<rect
        x="${corner.x}"
        y="${corner.y}"
        width="${rounded(wide)}"
        height="${STATE_HEIGHT}"
        rx="6"
        fill="none"
        stroke="currentColor"
      />
      <text x="${rounded(x)}" y="${rounded(y + 4.5)}" font-size="14">${state}</text>`;
  });
  return html`<div class="wide">
    <svg
      role="img"
      aria-label="The statuses, and what each leads to; the table below says the same."
      viewBox="0 0 ${rounded(width)} ${rounded(height)}"
      width="${rounded(width)}"
      height="${rounded(height)}"
      fill="currentColor"
      text-anchor="middle"
    >
      ${steps} ${states}
    </svg>
  </div>`;
}

interface Placed {
  readonly points?: readonly Point[];
  readonly label?: unknown;
  readonly x?: number;
  readonly y?: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function stepDrawing({ points = [], label, x = 0, y = 0 }: Placed): Html {
  const text =
    typeof label === "string" && label !== ""
      ? html`<text x="${rounded(x)}" y="${rounded(y + 4)}" font-size="11" opacity=".75">
          ${label}
        </text>`
      : "";
  return html`<path d="${curve(points)}" fill="none" stroke="currentColor" opacity=".45" />
    <path d="${arrowhead(points)}" opacity=".75" />${text}`;
}

/** A line through the points, rounded between them. */
function curve(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  const bends = others.map((point, index) => {
    const next = others[index + 1];
    if (next === undefined) return `L${at(point)}`;
    return `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${bends.join("")}`;
}

const ARROW_LENGTH = 7;
const ARROW_HALF_WIDTH = 3.5;

/** A triangle at the end of the line, in its direction. */
function arrowhead(points: readonly Point[]): string {
  const [before, end] = points.slice(-2);
  if (before === undefined || end === undefined) return "";
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const along = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
  const foot = { x: end.x - along.x * ARROW_LENGTH, y: end.y - along.y * ARROW_LENGTH };
  const side = { x: -along.y * ARROW_HALF_WIDTH, y: along.x * ARROW_HALF_WIDTH };
  const corners = [
    end,
    { x: foot.x + side.x, y: foot.y + side.y },
    { x: foot.x - side.x, y: foot.y - side.y },
  ];
  return `M${corners.map(at).join("L")}Z`;
}

function at({ x, y }: Point): string {
  return `${rounded(x)} ${rounded(y)}`;
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
