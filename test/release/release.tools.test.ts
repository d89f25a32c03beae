// A release of the target of this machine, made twice in two folders, as those who download it find it; and the states of
// the repository of which none is made.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { allSettings } from "#platform/config/settings.ts";

import { makeCertificates } from "../support/certificates.ts";
import { openRunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { printedIn, ReleaseCopy, runIn, target } from "./release-copy.ts";

const NAME = `duka-0.2.0-${target}`;
const SUMS = "SHA256SUMS";
/** This machine, as Debian and images name it. */
const machine = process.arch === "x64" ? "amd64" : "arm64";
const opened = new DisposableStack();
let source: ReleaseCopy;
let other: ReleaseCopy;

beforeAll(async () => {
  source = opened.use(await ReleaseCopy.open());
  other = opened.use(await source.clone());
  await source.addPackages();
  await other.addPackages();
  const ended = await Promise.all([source.release(), other.release()]);
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
});

afterAll(() => opened.dispose());

describe("a release", () => {
  test("is the same to the byte when another clone makes it", async () => {
    const [sums, others] = [source, other].map((copy) => readFileSync(copy.made(SUMS), "utf8"));

    expect(sums).toBe(others ?? "");
    expect(sums).toContain(`${NAME}.tar.gz\n`);
  });

  test("has an archive with the program and what belongs beside it, for whom unpacks it", async () => {
    using folder = openScratchFolder();
    const printed = await printedIn(folder.path, ["tar", "xvzf", source.made(`${NAME}.tar.gz`)]);

    expect(printed.trim().split("\n")).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "NOTICES.txt",
        "completions/_duka",
        "completions/duka.bash",
        "completions/duka.fish",
        "compose.yaml",
        "duka",
        "duka.service",
      ].map((path) => `${NAME}/${path}`),
    );
    const program = join(folder.path, NAME, "duka");
    expect(await printedIn(folder.path, [program, "--version"])).toStartWith("0.2.0 (");
    expect(await printedIn(folder.path, [program, "licenses"])).toBe(
      readFileSync(join(folder.path, NAME, "NOTICES.txt"), "utf8"),
    );
  });

  test("lists what is in it", () => {
    const list = JSON.parse(readFileSync(source.made("duka-0.2.0.cdx.json"), "utf8"));

    const found: string[] = list.components.map((one: { purl: string }) => one.purl);
    expect(list.metadata.component).toMatchObject({ type: "application", name: "duka" });
    expect(found).toContain(`pkg:npm/%40oven/bun-${target.replace("arm64", "aarch64")}@1.4.5`);
    expect(
      found.filter((one) => /^pkg:deb\/debian\/libc6@|scalar\/api-reference/.test(one)),
    ).toHaveLength(2);
    expect(found.filter((one) => one.includes("oxlint"))).toEqual([]);
  });

  test("says what was run", () => {
    const summary = readFileSync(source.made("summary.md"), "utf8");

    expect(summary).toContain(`| ${target} | run here |`);
    expect(summary).toContain("### Added\n");
  });

  test("has sums and a signature that fit, and that a flipped byte does not pass", async () => {
    using folder = openScratchFolder();
    for (const name of [`${NAME}.tar.gz`, SUMS, `${SUMS}.sig`])
      cpSync(source.made(name), folder.file(name));
    const check = () => runIn(folder.path, ["sha256sum", "--ignore-missing", "-c", SUMS]);
    const signers = join(source.path, "release/allowed_signers");
    const options = `-f ${signers} -I duka -n duka-release -s ${SUMS}.sig < ${SUMS}`;
    const verify = () => runIn(folder.path, ["sh", "-c", `ssh-keygen -Y verify ${options}`]);
    expect([(await check()).code, (await verify()).code]).toEqual([0, 0]);

    flipByte(folder.file(`${NAME}.tar.gz`));
    flipByte(folder.file(SUMS));

    expect([(await check()).code, (await verify()).code]).not.toContain(0);
  });
});

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe("the image", () => {
  const image = `duka-0.2.0-image-${machine}.tar`;
  let folder: ScratchFolder;

  beforeAll(async () => {
    folder = opened.use(openScratchFolder());
    for (const name of ["data", "etc"]) mkdirSync(folder.file(name));
    const archive = `oci-archive:${source.made(image)}`;
    await printedIn(folder.path, ["skopeo", "copy", archive, "oci:image:duka"]);
    const unpack = ["umoci", "unpack", "--rootless", "--image", "image:duka", "bundle"];
    await printedIn(folder.path, unpack);
  });

  /** A command in the image: as its user, who changes the volume and `/tmp` alone, on the network of this machine. */
  function inside(
    settings: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): string[] {
    const mounts = `--ro-bind bundle/rootfs / --ro-bind etc /etc --bind data /data --tmpfs /tmp
      --proc /proc --dev /dev --unshare-user --unshare-pid --uid 10001 --gid 10001`;
    const own = ["--die-with-parent", "--clearenv", "--setenv", "PATH", "/usr/local/bin"];
    const others = Object.entries(settings).flatMap((one) => ["--setenv", ...one]);
    return ["bwrap", ...mounts.split(/\s+/), ...own, ...others, "duka", ...args];
  }

  test("has the program as its command, a user without rights and a volume of that user's", async () => {
    const command = ["skopeo", "inspect", "--config", `oci-archive:${source.made(image)}`];
    const { architecture, config } = JSON.parse(await printedIn(folder.path, command));
    const volume = await printedIn(folder.path, [
      "sh",
      "-c",
      `for layer in image/blobs/sha256/*; do tar tvzf $layer data/ 2> /dev/null; done; true`,
    ]);

    expect(architecture).toBe(machine);
    expect(config).toMatchObject({ User: "10001:10001", Entrypoint: ["duka"], Cmd: ["serve"] });
    expect(config.Env).toContain("DUKA_DATA_DIR=/data");
    expect(volume).toMatch(/^drwx------ 10001\/10001 /);
  });

  test("is read by Docker before its store was containerd's", async () => {
    const command = ["skopeo", "inspect", `docker-archive:${source.made(image)}`];

    expect(JSON.parse(await printedIn(folder.path, command)).Layers).toHaveLength(2);
  });

  test("is ready, and says so in itself", async () => {
    const settings = {
      DUKA_DATA_DIR: "/data",
      DUKA_HOST: "0.0.0.0",
      DUKA_ALLOW_PLAIN_HTTP: "1",
      DUKA_PORT: "0",
    };
    const terms = { folder: folder.path, program: inside(settings), isFromNothing: true };
    const health = inside(settings, "health");
    expect(await runIn(folder.path, health)).toMatchObject({ code: 1, stdout: "down\n" });
    await using duka = await openRunningDuka(terms);

    expect(await runIn(folder.path, health)).toMatchObject({ code: 0, stdout: "ready\n" });
    expect((await duka.request("GET", "/v2/products")).status).toBe(200);
  });

  test("finds a name, and calls its server over HTTPS", async () => {
    const { authority, good } = makeCertificates();
    using server = Bun.serve({ port: 0, tls: good, fetch: () => new Response("called") });
    writeFileSync(folder.file("etc/hosts"), "127.0.0.1 shop.example\n");
    writeFileSync(folder.file("etc/authority.pem"), authority);
    const call = `console.log(await (await fetch("https://shop.example:${server.port}/")).text())`;
    const settings = { BUN_BE_BUN: "1", NODE_EXTRA_CA_CERTS: "/etc/authority.pem" };

    const command = inside(settings, "-e", call);
    expect(await runIn(folder.path, command)).toEqual({ code: 0, stdout: "called\n", stderr: "" });
  });

  test("is started by the file beside it, with settings that there are", () => {
    using unpacked = openScratchFolder();
    Bun.spawnSync(["tar", "xzf", source.made(`${NAME}.tar.gz`), "--strip-components=1"], {
      cwd: unpacked.path,
    });
    const { services } = yamlOf(readFileSync(unpacked.file("compose.yaml"), "utf8"));

    const known = new Set<string>(allSettings.map(({ name }) => name));
    expect(services.duka).toMatchObject({ image: "duka:0.2.0", read_only: true });
    expect(Object.keys(services.duka.environment).filter((name) => !known.has(name))).toEqual([]);
  });
});

function yamlOf(text: string) {
  return Bun.YAML.parse(text) as { services: { duka: { environment: object } } };
}

describe("the packages for npm", () => {
  const files = ["duka", `duka-${target}`].map((name) => `npm/${name}-0.2.0.tgz`);
  let folder: ScratchFolder;
  let launcher: string;

  beforeAll(async () => {
    folder = opened.use(openScratchFolder());
    launcher = folder.file("node_modules/duka/bin/duka.js");
    writeFileSync(folder.file("package.json"), "{}");
    const paths = files.map((file) => source.made(file));
    await printedIn(folder.path, ["npm", "install", "--no-audit", "--ignore-scripts", ...paths]);
  });

  test("run the program of this machine", async () => {
    expect(await printedIn(folder.path, ["npx", "duka", "--version"])).toStartWith("0.2.0 (");
    expect((await runIn(folder.path, ["npx", "duka", "nothing"])).code).toBe(2);
  });

  test("hand signals on, and wait for the end of the server", async () => {
    const terms = { folder: folder.path, program: ["node", launcher], isFromNothing: true };
    await using duka = await openRunningDuka(terms);

    expect(await duka.end("SIGTERM")).toMatchObject({
      code: 0,
      log: expect.stringContaining("Stopped."),
    });
  });

  test("tell what to do on a processor that lacks instructions", async () => {
    using own = openLauncher();
    writeFileSync(own.file(`node_modules/duka-${target}/duka`), "#!/bin/sh\nkill -ILL $$\n", {
      mode: 0o755,
    });

    const { code, stderr } = await runIn(own.path, ["node", "bin/duka.js"]);

    expect(code).toBe(132);
    expect(stderr).toContain(`${target}-baseline`);
  });

  test("tell which machines there are packages for", async () => {
    using own = openLauncher();

    const { code, stderr } = await runIn(own.path, ["node", "bin/duka.js"]);

    expect(code).toBe(1);
    expect(stderr).toStartWith(`duka-${target} is not installed.`);
    expect(stderr).toContain("duka-darwin-arm64");
  });

  /** The launcher with an empty package of this machine. */
  function openLauncher(): ScratchFolder {
    const own = openScratchFolder();
    cpSync(folder.file("node_modules/duka"), own.path, { recursive: true });
    mkdirSync(own.file(`node_modules/duka-${target}`), { recursive: true });
    return own;
  }
});

describe("no release is made", () => {
  const refusals: Record<string, [(copy: ReleaseCopy) => Promise<unknown> | void, RegExp]> = {
    "of changes that are not committed": [
      (copy) => writeFileSync(join(copy.path, "new.ts"), ""),
      /^The tree has changes that are not committed\.\n$/,
    ],
    "of a commit without the tag": [
      (copy) => copy.run("git", "tag", "-d", "v0.2.0"),
      /^Its commit \w{8} has no tag v0\.2\.0\.\n$/,
    ],
    "of a version that the changelog does not have": [
      async (copy) => {
        await copy.run("sed", "-i", "s/^## 0.2.0 .*/## Unreleased/", "CHANGELOG.md");
        await copy.commit();
      },
      /^CHANGELOG\.md has no section "## 0\.2\.0 \(date\)"\.\n$/,
    ],
    "with a key that is not there": [
      (copy) => copy.run("rm", "../key", "../key.pub"),
      /^The key of DUKA_RELEASE_KEY cannot sign: .+\n$/,
    ],
    "with a key that nobody knows": [
      async (copy) => {
        await copy.run("sed", "-i", "/^duka /d", "release/allowed_signers");
        await copy.commit();
      },
      /^The key of DUKA_RELEASE_KEY is not in release\/allowed_signers: .+\n$/,
    ],
  };

  test.each(Object.entries(refusals))("%s", async (_, [change, sentence]) => {
    using copy = await source.clone();
    await change(copy);

    const { code, stderr } = await copy.release();

    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(existsSync(copy.made())).toBe(false);
  });

  test("without a key, unless that is said", async () => {
    const { code, stderr } = await source.release({});

    expect(code).toBe(1);
    expect(stderr).toBe("DUKA_RELEASE_KEY names no key: --unsigned makes no signature.\n");
  });
});
