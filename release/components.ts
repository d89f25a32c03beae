// The list of what is in the programs, in the form of CycloneDX: the packages of npm, the runtimes, Debian's C library and
// Scalar. Made twice of the same commit it is the same.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root, run, sha256 } from "./command.ts";
import type { Libc } from "./libc.ts";
import type { Program } from "./programs.ts";
import type { Source } from "./source.ts";

/** A part of the programs. */
interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

const SCALAR = "@scalar/api-reference";
const SCALAR_FOLDER = join(root, "src/platform/http/openapi");

/** The list as JSON, with these components beside the packages of npm. */
export function componentList(source: Source, added: readonly Component[]): string {
  const bom: { metadata: { component: object }; components: Component[] } = JSON.parse(
    run(["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev"]),
  );
  const { version, committedAt: timestamp } = source;
  const component = { ...bom.metadata.component, type: "application", name: "duka", version };
  const parts = added.map((part) => ({ "bom-ref": part.purl, type: "library", ...part }));
  // The runtime of this machine is added with those of the other targets.
  const packages = bom.components.filter(({ name }) => !name.startsWith("@oven/"));
  const components = [...packages, ...parts];
  const serialNumber = `urn:uuid:${uuidOf(sha256(JSON.stringify(components)))}`;
  const metadata = { ...bom.metadata, timestamp, component };
  return `${JSON.stringify({ ...bom, serialNumber, metadata, components }, null, 2)}\n`;
}

/** Bun as it is in a program. */
export function runtimeComponent({ runtime: { name, version, integrity } }: Program): Component {
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return { name, version, purl: purlOf(name, version), hashes: [{ alg: "SHA-512", content }] };
}

/** Debian's C library, which images have. */
export function libcComponent({ machine, version, sha256: content }: Libc): Component {
  const purl = `pkg:deb/debian/libc6@${encodeURIComponent(version)}?arch=${machine}`;
  return { name: "libc6", version, purl, hashes: [{ alg: "SHA-256", content }] };
}

/** The API reference that `/docs` shows, which is a file of the source and no package. */
export function scalarComponent(): Component {
  const text = readFileSync(join(SCALAR_FOLDER, "docs.ts"), "utf8");
  const version = new RegExp(`${SCALAR} (\\S+)`).exec(text)?.[1];
  if (version === undefined) throw new Error(`docs.ts names no version of ${SCALAR}.`);
  const content = sha256(readFileSync(join(SCALAR_FOLDER, "scalar.js.gz")));
  const purl = purlOf(SCALAR, version);
  return { name: SCALAR, version, purl, hashes: [{ alg: "SHA-256", content }] };
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A UUID of version 8, which is made of a hash. */
function uuidOf(hash: string): string {
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5");
}
