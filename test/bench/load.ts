// The load: a process of its own that keeps a number of connections busy over raw sockets, so that
// it costs less than what it measures. Prints one line of JSON: requests, statuses, latencies, and what the
// programs spent meanwhile.

import { CpuWindows } from "./cpu-windows.ts";

interface LoadOrder {
  /** Of the programs that share the load; connections go to them in turn. */
  readonly ports: readonly number[];
  /** Their processes. */
  readonly pids: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  /** How many are sent at most; 0 is as many as there is time for. */
  readonly requests: number;
  /** Requests per second in all; 0 is as fast as answers come. */
  readonly rate: number;
  /** Request lines, asked in turn. */
  readonly targets: readonly string[];
  readonly headers: string;
  /** Bodies to send in turn; empty for a request without one. */
  readonly bodies: readonly string[];
  /** Whether every request carries an idempotency key of its own. */
  readonly freshKeys: boolean;
}

export interface LoadReport {
  readonly seconds: number;
  readonly answers: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The programs' processor time per answer, microseconds, in each window of 100 ms. */
  readonly cpuWindows: readonly number[];
}

const order: LoadOrder = JSON.parse(await Bun.stdin.text());
const run = crypto.randomUUID().slice(0, 8);
const latencies: number[] = [];
const byStatus: Record<string, number> = {};
const windows = new CpuWindows(order.pids);
let sent = 0;
let isOver = false;

/** The next request, whole. */
function nextRequest(): string {
  const target = order.targets[sent % order.targets.length] ?? "";
  const body = order.bodies[sent % Math.max(order.bodies.length, 1)] ?? "";
  sent += 1;
  const key = order.freshKeys ? `Idempotency-Key: ${run}-${crypto.randomUUID()}\r\n` : "";
  const content =
    body === ""
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${target} HTTP/1.1\r\n${order.headers}${key}${content}\r\n${body}`;
}

/** Reads answers off a connection: status and length are all that is looked at. */
class Answers {
  #buffer = "";

  /** The status of an answer that is complete now, or null. */
  take(chunk: string): string | null {
    this.#buffer += chunk;
    const headEnd = this.#buffer.indexOf("\r\n\r\n");
    if (headEnd === -1) return null;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#buffer.slice(0, headEnd))?.[1] ?? "0";
    const end = headEnd + 4 + Number(length);
    if (this.#buffer.length < end) return null;
    const status = this.#buffer.slice(9, 12);
    this.#buffer = this.#buffer.slice(end);
    return status;
  }
}

async function connect(index: number): Promise<void> {
  const answers = new Answers();
  const done = Promise.withResolvers<void>();
  const gapMs = order.rate === 0 ? 0 : (order.connections * 1000) / order.rate;
  let startedAt = 0;
  let dueAt = performance.now() + (gapMs * index) / order.connections;
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: order.ports[index % order.ports.length] ?? 0,
    socket: {
      data(connection, bytes) {
        const status = answers.take(bytes.toString("latin1"));
        if (status === null) return;
        const now = performance.now();
        latencies.push(now - startedAt);
        windows.count(now);
        byStatus[status] = (byStatus[status] ?? 0) + 1;
        if (isOver || (order.requests > 0 && sent >= order.requests)) {
          connection.end();
          done.resolve();
        } else if (gapMs === 0) send(connection);
        else schedule(connection);
      },
      close: () => done.resolve(),
      error: () => done.resolve(),
    },
  });

  function send(connection: { write(text: string): number }): void {
    startedAt = performance.now();
    connection.write(nextRequest());
  }

  /** An answer that came late does not lower the rate: waiting counts from when it was due. */
  function schedule(connection: { write(text: string): number }): void {
    dueAt += gapMs;
    setTimeout(
      () => {
        startedAt = Math.min(dueAt, performance.now());
        connection.write(nextRequest());
      },
      Math.max(0, dueAt - performance.now()),
    );
  }

  if (gapMs === 0) send(socket);
  else schedule(socket);
  await done.promise;
}

const start = performance.now();
setTimeout(() => (isOver = true), order.seconds * 1000).unref();
await Promise.all(Array.from({ length: order.connections }, (_, index) => connect(index)));
const seconds = (performance.now() - start) / 1000;
latencies.sort((one, other) => one - other);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const report: LoadReport = {
  seconds,
  answers: latencies.length,
  byStatus,
  perSecond: latencies.length / seconds,
  p50: at(0.5),
  p99: at(0.99),
  max: latencies.at(-1) ?? 0,
  cpuWindows: windows.microseconds,
};
console.log(JSON.stringify(report));
