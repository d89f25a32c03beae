// Read where the program is built (`with { type: "macro" }`): the text of runtime/ is a constant of it.

import { readFileSync } from "node:fs";

const files = ["list", "duka-error", "verify-webhook", "transport"] as const;

/** The files of runtime/ as one text, without their opening comments and imports of each other. */
export function runtimeText(): string {
  const texts = files.map((name) => readFileSync(`${import.meta.dir}/runtime/${name}.ts`, "utf8"));
  return texts.map((text) => text.replace(/^(?:\/\/.*\n|import [^;]*;\n|\n)*/, "")).join("\n");
}
