// Reads secrets at a terminal that does not show them, or from another program at stdin: arguments of a command are
// visible to other users of the machine.

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

import { UsageFault } from "#cli/operator/settings.ts";
import type { VendorField } from "#payments/gateways/vendor-fields.ts";

/** One secret for each question, in their order. Throws UsageFault if there are fewer or more, and repeats none. */
export async function readSecrets(questions: readonly string[]): Promise<string[]> {
  const given = process.stdin.isTTY ? await typed(questions) : linesOf(await text(process.stdin));
  const secrets = given.map((line) => line.trim());
  if (secrets.length < questions.length || secrets.includes("")) {
    throw new UsageFault(
      `${questions.join(", then ")}: type it at a terminal, or give it at stdin, each on a line.`,
    );
  }
  if (secrets.length > questions.length) {
    throw new UsageFault(`stdin has ${secrets.length} lines, not ${questions.length}.`);
  }
  return secrets;
}

/** The JSON of fields: each is asked for at a terminal, where an empty answer leaves one out; else it is all of stdin. */
export async function readFieldsJson(
  fields: readonly VendorField[],
  question: string,
): Promise<string> {
  if (!process.stdin.isTTY) return (await readSecrets([question])).join("");
  const answers = await typed(
    fields.map(({ label, isRequired }) => (isRequired ? label : `${label} (Enter for none)`)),
  );
  const given = fields.map(({ name }, place) => [name, (answers[place] ?? "").trim()]);
  return JSON.stringify(Object.fromEntries(given.filter(([, value]) => value !== "")));
}

function linesOf(given: string): string[] {
  return given.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** Asks on stderr, since stdout is for the output of the command. The terminal repeats nothing meanwhile. */
async function typed(questions: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  using lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const next = lines[Symbol.asyncIterator]();
  const answers: string[] = [];
  for (const question of questions) {
    process.stderr.write(`${question}: `);
    const { value, done } = await next.next();
    process.stderr.write("\n");
    if (done === true) break;
    answers.push(value);
  }
  return answers;
}
