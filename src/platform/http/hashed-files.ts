// Files of pages that are parts of the program. Invariant: a file's name has a hash of what it holds, so that browsers
// may keep it forever, and fetch a new version at once.

import { gzipSync } from "node:zlib";

import { version } from "#platform/process/version.ts";

const FOREVER = "public, max-age=31536000, immutable";

/** A text, or the path of a file that is packed already. */
export type HashedFile =
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly path: string };

export class HashedFiles<Name extends string> {
  readonly #folder: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #files = new Map<string, HashedFile>();
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #packed = new Map<string, Uint8Array<ArrayBuffer>>();

  /** `folder` is a path with a slash at its end; the headers are sent with each file. */
  constructor(
    folder: string,
    files: Readonly<Record<Name, HashedFile>>,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    this.#headers = headers;
    const named = Object.entries<HashedFile>(files).map(([name, file]) => {
      const address = addressOf(folder, name, "text" in file ? file.text : version);
      this.#files.set(address, file);
      return [name, address] as const;
    });
    this.#addresses = new Map(named);
  }

  /** The path of the file. */
  address(name: Name): string {
    const found = this.#addresses.get(name);
    if (found === undefined) throw new Error(`${this.#folder} has no file ${name}.`);
    return found;
  }

  /** The file at the path; null if there is none, as of another version. */
  respond(request: Request): Response | null {
    const { pathname } = new URL(request.url);
    const file = this.#files.get(pathname);
    if (file === undefined) return null;
    const headers = { "Content-Type": file.type, "Cache-Control": FOREVER, ...this.#headers };
    if ("path" in file) return new Response(Bun.file(file.path), { headers });
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
      return new Response(file.text, { headers: { ...headers, Vary: "Accept-Encoding" } });
    }
    const bytes = this.#packed.get(pathname) ?? new Uint8Array(gzipSync(file.text, { level: 9 }));
    this.#packed.set(pathname, bytes);
    return new Response(bytes, {
      headers: { ...headers, Vary: "Accept-Encoding", "Content-Encoding": "gzip" },
    });
  }
}

/** The path of a file that is told apart by a text, such as what it holds. */
export function addressOf(folder: string, name: string, distinct: string): string {
  const [stem = "", ending = ""] = name.split(".");
  return `${folder}${stem}.${Bun.hash(distinct).toString(36)}.${ending}`;
}

/** Without comments, empty lines and indentation. No file has a text of several lines, or a comment after code. */
export function shortened(text: string): string {
  return text
    .replaceAll(/^\s*\/\*.*?\*\/$/gms, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/^\s+/gm, "");
}
