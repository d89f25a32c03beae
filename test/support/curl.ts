// Replaces curl on a machine that has only Node.js. Supports the options that the documentation uses and no
// others. Sends one request and prints the body.

import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
  },
});
const [url = ""] = positionals;
const headers = values.header.map((line): [string, string] => {
  const [name = "", ...value] = line.split(": ");
  return [name, value.join(": ")];
});
const answer = await fetch(url, {
  method: values.request ?? (values.data === undefined ? "GET" : "POST"),
  headers,
  ...(values.data === undefined ? {} : { body: values.data }),
});
process.stdout.write(await answer.text());
