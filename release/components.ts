// The list of what is in the programs, in the form of CycloneDX: the packages of npm, the runtimes, Scalar. Made twice of
// the same commit it is the same.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root, run, sha256 } from "./command.ts";
import type { Libc } from "./libc.ts";
import type { Program } from "./programs.ts";
import type { Source } from "./source.ts";

/** A part of the programs. */
interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

interface Bom {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
}

const SCALAR = "@scalar/api-reference";
const SCALAR_FOLDER = "src/platform/http/openapi";

/** The list as JSON, with these components beside the packages of npm. */
export function componentList(source: Source, added: readonly Component[]): string {
  const printed = run(["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev"]);
  const bom: Bom = JSON.parse(printed);
  // The runtime of this machine, which is added with those of the other targets.
  const packages = bom.components.filter(({ name }) => !name.startsWith("@oven/"));
  const components = [...packages, ...added];
  const { version, committedAt: timestamp } = source;
  const component = { ...bom.metadata.component, type: "application", name: "duka", version };
  const list = {
    ...bom,
    serialNumber: `urn:uuid:${uuidOf(sha256(JSON.stringify(components)))}`,
    metadata: { ...bom.metadata, timestamp, component },
    components,
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** Bun as it is in a program. */
export function runtimeComponent({ runtime: { name, version, integrity } }: Program): Component {
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return packageOf(name, version, { alg: "SHA-512", content });
}

/** Debian's C library, which images have. */
export function libcComponent({ machine, version, sha256: content }: Libc): Component {
  const purl = `pkg:deb/debian/libc6@${encodeURIComponent(version)}?arch=${machine}`;
  const hashes = [{ alg: "SHA-256", content }];
  return { "bom-ref": purl, type: "library", name: "libc6", version, purl, hashes };
}

/** The API reference that `/docs` shows, which is a file of the source and no package. */
export function scalarComponent(): Component {
  const [text, script] = ["docs.ts", "scalar.js.gz"].map((name) =>
    readFileSync(join(root, SCALAR_FOLDER, name)),
  );
  const version = new RegExp(`${SCALAR} (\\S+)`).exec(String(text))?.[1];
  if (version === undefined || script === undefined)
    throw new Error(`docs.ts names no version of ${SCALAR}.`);
  return packageOf(SCALAR, version, { alg: "SHA-256", content: sha256(script) });
}

function packageOf(name: string, version: string, hash: Component["hashes"][number]): Component {
  const ref = `${name}@${version}`;
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { "bom-ref": ref, type: "library", name, version, purl, hashes: [hash] };
}

/** A UUID of version 8, which is made of a hash. */
function uuidOf(hash: string): string {
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(12, 15)}`];
  return [...groups, `8${hash.slice(15, 18)}`, hash.slice(18, 30)].join("-");
}
