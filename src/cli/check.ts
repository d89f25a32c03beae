// `duka check`: whether the figures of the shop agree with each other. Invariant: it changes nothing
// and holds up nobody, so it may run beside a selling server.

import { join } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import { modes } from "#open-shops.ts";
import { isDamage } from "#platform/store/errors.ts";
import type { Mode } from "#platform/store/store.ts";
import { openForVerification } from "#platform/store/verify.ts";

import { readSettings, type SettingOptions } from "./settings.ts";
import { sentence, shopProof } from "./shop-proof.ts";

interface ModeDifference extends Difference {
  readonly mode: Mode;
}

/** Prints every difference of both modes; answers whether there is none. */
export async function checkAtTerminal(
  options: SettingOptions & { readonly json?: true },
): Promise<boolean> {
  const { dataDirectory } = readSettings(options);
  const differences: ModeDifference[] = [];
  let isSound = true;
  for (const mode of modes) {
    let count = 0;
    for await (const difference of differencesIn(join(dataDirectory, `${mode}.sqlite`))) {
      count += 1;
      if (options.json === true) differences.push({ mode, ...difference });
      else console.log(`${mode}: ${sentence(difference)}`);
    }
    if (options.json !== true) console.log(`${mode}: ${summary(count)}`);
    isSound &&= count === 0;
  }
  if (options.json === true) console.log(JSON.stringify({ ok: isSound, differences }, null, 2));
  return isSound;
}

/** What the engine finds, then what the audits find. A file too broken to be read ends its list. */
async function* differencesIn(path: string): AsyncGenerator<Difference> {
  try {
    using file = openForVerification(path);
    for (const found of file.faults()) {
      yield { subject: path, what: "database file", expected: "sound", found };
    }
    for (const audit of shopProof.audits) yield* audit(file.reader);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const found = error instanceof Error ? error.message : String(error);
    yield { subject: path, what: "database file", expected: "readable", found };
  }
}

function summary(count: number): string {
  if (count === 0) return "everything agrees";
  return count === 1 ? "1 difference" : `${count} differences`;
}
