// Programs that integrators run on the OpenAPI document: linters, generators, a compiler, a proxy. They are the
// packages of this folder, which `npm run test:tools` installs. Each runs in a folder beside the document.

import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

/** Longer than any tool takes on a busy machine, milliseconds. */
export const TOOL_MS_MAX = 180_000;

const packages = join(import.meta.dir, "node_modules");

/** Strict settings, with the types of a browser alone. */
const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  module: "ESNext",
  moduleResolution: "bundler",
  outDir: "compiled",
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
};

/** A shop with the catalog of the seed, and a folder with its document in `openapi.json`. */
export class Workbench implements AsyncDisposable {
  readonly shop: TestShop;
  readonly folder: ScratchFolder;

  constructor(shop: TestShop, folder: ScratchFolder) {
    this.shop = shop;
    this.folder = folder;
  }

  /** Starts a tool with its folder as working directory. */
  start(tool: string, args: readonly string[]) {
    return this.#spawn([join(packages, ".bin", tool), ...args]);
  }

  /** Runs a tool to its end; returns what it printed on stdout. An exit code other than 0 throws. */
  async run(tool: string, ...args: readonly string[]): Promise<string> {
    return printedBy(this.start(tool, args));
  }

  /**
   * Writes a TypeScript program, compiles it with all that it imports, and returns the errors of the compiler:
   * empty if there is none.
   */
  async compile(
    program: string,
    { exactOptionalPropertyTypes = true }: { exactOptionalPropertyTypes?: boolean } = {},
  ): Promise<string> {
    const settings = {
      compilerOptions: { ...compilerOptions, exactOptionalPropertyTypes },
      files: ["program.ts"],
    };
    await Bun.write(this.folder.file("tsconfig.json"), JSON.stringify(settings));
    await Bun.write(this.folder.file("program.ts"), program);
    const compiler = this.start("tsc", ["--project", "."]);
    const errors = await new Response(compiler.stdout).text();
    return (await compiler.exited) === 0 ? "" : errors;
  }

  /** Runs the compiled program, with the address of the shop and its key; returns the JSON that it printed. */
  async runCompiled(): Promise<unknown> {
    return JSON.parse(await printedBy(this.#spawn([process.execPath, "compiled/program.js"])));
  }

  #spawn(command: readonly string[]) {
    return Bun.spawn([...command], {
      cwd: this.folder.path,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.folder.path,
        NO_COLOR: "1",
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
        SHOP_URL: this.shop.url,
        SHOP_KEY: this.shop.key,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shop[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

/** Starts the shop and prepares the folder. */
export async function openWorkbench(): Promise<Workbench> {
  const bench = new Workbench(await openTestShop(), openScratchFolder());
  await bench.shop.post("/v2/test/seed");
  const document = await fetch(`${bench.shop.url}/openapi.json`);
  await Bun.write(bench.folder.file("openapi.json"), await document.text());
  await Bun.write(bench.folder.file("package.json"), '{"type":"module"}');
  symlinkSync(packages, bench.folder.file("node_modules"));
  return bench;
}

async function printedBy(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<string> {
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return stdout;
  throw new Error(`${stdout}${stderr}`);
}
