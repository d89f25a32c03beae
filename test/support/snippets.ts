// Runs what a document says to type, in one shell and against one Duka, and holds what is printed
// against the answer below each command. In an answer `…` stands for anything that is left out.

import { join } from "node:path";

import { databaseSettings } from "./postgres-databases.ts";
import { openRunningDuka, program, type RunningDuka } from "./running-duka.ts";
import { openScratchFolder } from "./scratch.ts";

/** The address that documents name. */
const WRITTEN_ORIGIN = "http://127.0.0.1:4000";
const WRITTEN_KEY = "test_sk_…";
/** /dev/stderr can be opened where it is a pipe, as at a terminal; Bun gives a program a socket. */
const INTO_A_PIPE = 'bash -e -o pipefail -c "$0" 2>&1 | cat';
const SEPARATOR = "\u001E";

type JsonObject = Readonly<Record<string, unknown>>;

interface Snippet {
  /** The first line of its commands, for the message of a failure. */
  readonly title: string;
  readonly commands: string;
  /** What is shown below the commands; null where nothing is. */
  readonly answer: { readonly language: string; readonly text: string } | null;
}

/** The blocks of a document that are run: all of `sh` but those marked `sh no-test`. */
export function snippetsOf(markdown: string): Snippet[] {
  const fenced = /```([^\n]*)\n([\s\S]*?)```/g;
  const blocks = [...markdown.matchAll(fenced)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== "sh") return [];
    const next = blocks[index + 1];
    const isAnswer = next !== undefined && ["json", "text"].includes(next.language);
    const [title = ""] = text.split("\n");
    return [{ title, commands: text, answer: isAnswer ? next : null }];
  });
}

/** Runs the snippets of a document in order; says what was not printed as it is shown. */
export async function runDocument(markdown: string): Promise<string[]> {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });
  const snippets = snippetsOf(markdown);
  const outputs = await runSnippets(snippets, { duka, folder: folder.path });
  return snippets.flatMap((snippet, index) => {
    const fault = faultOf(snippet, outputs[index] ?? "");
    return fault === null ? [] : [`${snippet.title}: ${fault}`];
  });
}

/** What each snippet printed. Throws where a command fails. */
async function runSnippets(
  snippets: readonly Snippet[],
  { duka, folder }: { readonly duka: RunningDuka; readonly folder: string },
): Promise<string[]> {
  const curl = `"${process.execPath}" "${join(import.meta.dir, "curl.ts")}"`;
  const dukaCommand = program.map((word) => `"${word}"`).join(" ");
  const script = [
    `curl() { ${curl} "$@"; }`,
    `duka() { ${dukaCommand} "$@"; }`,
    ...snippets.map(({ commands }) => `${commands}\nprintf '${SEPARATOR}'`),
  ]
    .join("\n")
    .replaceAll(WRITTEN_ORIGIN, duka.url)
    .replaceAll(WRITTEN_KEY, duka.key);
  const directory = join(folder, "data");
  const settings = { DUKA_DATA_DIR: directory, ...(await databaseSettings(directory)) };
  const shell = Bun.spawn(["bash", "-o", "pipefail", "-c", INTO_A_PIPE, script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...settings },
    stdout: "pipe",
  });
  const printed = (await new Response(shell.stdout).text()).replaceAll(duka.url, WRITTEN_ORIGIN);
  const outputs = printed.split(SEPARATOR);
  if ((await shell.exited) !== 0) throw new Error(`The shell ended with: ${outputs.at(-1)}`);
  return outputs.slice(0, -1);
}

/** What is wrong with the output, as the document has it; null where it is right. */
function faultOf({ answer }: Snippet, output: string): string | null {
  if (answer === null) return output.includes('"request_id"') ? `a refusal: ${output}` : null;
  if (answer.language === "text") {
    return matchesText(answer.text.trim(), output.trim()) ? null : `this was printed: ${output}`;
  }
  const difference = differenceOf(parseAnswer(answer.text), JSON.parse(output), "");
  return difference === null ? null : `${difference} in ${output}`;
}

/** What is left out becomes a member, an element or a value of that name. */
function parseAnswer(text: string): unknown {
  const marked = text
    .replaceAll(/: …/g, ': "…"')
    .replaceAll(/…(?=\s*\})/g, '"…": "…"')
    .replaceAll(/…(?=\s*\])/g, '"…"');
  return JSON.parse(marked);
}

/** Where the actual answer is not what is shown. */
function differenceOf(shown: unknown, actual: unknown, path: string): string | null {
  if (shown === "…") return null;
  if (Array.isArray(shown) && Array.isArray(actual)) return listDifference(shown, actual, path);
  if (isObject(shown) && isObject(actual)) return objectDifference(shown, actual, path);
  const isSame =
    typeof shown === "string" && typeof actual === "string"
      ? matchesText(shown, actual)
      : Object.is(shown, actual);
  return isSame ? null : `${path} is ${String(actual)}`;
}

/** Everything shown is there in this order, and more only where `…` ends the list. */
function listDifference(
  shown: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): string | null {
  const isPart = shown.at(-1) === "…";
  const listed = isPart ? shown.slice(0, -1) : shown;
  const isWhole = isPart ? actual.length >= listed.length : actual.length === listed.length;
  if (!isWhole) return `${path} has ${actual.length} elements`;
  return firstOf(listed.map((one, index) => differenceOf(one, actual[index], `${path}/${index}`)));
}

/** Every member shown is there, and others only where `…` ends the object. */
function objectDifference(shown: JsonObject, actual: JsonObject, path: string): string | null {
  const { "…": rest, ...members } = shown;
  const missing = Object.keys(actual).filter((name) => !Object.hasOwn(members, name));
  if (rest === undefined && missing.length > 0) return `${path} has ${missing.join(", ")}, too`;
  return firstOf(
    Object.entries(members).map(([name, one]) =>
      differenceOf(one, actual[name], `${path}/${name}`),
    ),
  );
}

function matchesText(shown: string, actual: string): boolean {
  const pattern = shown.split("…").map((part) => RegExp.escape(part));
  return new RegExp(`^${pattern.join("[\\s\\S]*")}$`).test(actual);
}

function firstOf(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
