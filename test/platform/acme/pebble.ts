// A certificate authority on this machine, which speaks ACME strictly, and the shop's part that asks it. Names lead to
// this machine.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

import { DAY_MS } from "#kernel/time.ts";
import { selfSigned } from "#platform/acme/der.ts";
import { keyText, newKey } from "#platform/acme/jws.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

export interface Pebble extends AsyncDisposable {
  /** The URL of its directory. */
  readonly directory: string;
  /** The path of the PEM by which it is trusted. */
  readonly authorityPath: string;
  /** The port at which it looks for answers to challenges. */
  readonly challengePort: number;
  /** The certificate by which clients know what it signed, as PEM. */
  root(): Promise<string>;
  /** Ends it, and with it all that it knew; `start` brings an authority without accounts back. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

const READY_TRIES = 200;
const READY_PAUSE_MS = 25;

async function untilListening(hostname: string, port: number): Promise<void> {
  for (let tries = 0; tries < READY_TRIES; tries += 1) {
    const isThere = await Bun.connect({
      hostname,
      port,
      socket: { data: () => {}, open: (socket) => void socket.end() },
    }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await Bun.sleep(READY_PAUSE_MS);
  }
  throw new Error(`Nothing listens on ${port}.`);
}

/** Of so many nonces in a hundred it says that it does not know them. */
const REFUSED_NONCES = "20";

export interface PebbleTerms {
  /** The address at which it listens, and the name by which the shop's server knows it. */
  readonly host: string;
  readonly name: string;
  /** The address to which it finds all names lead, and the port at which it looks there; by default a free one. */
  readonly shopAddress: string;
  readonly challengePort?: number;
}

const onThisMachine = { host: "127.0.0.1", name: "localhost", shopAddress: "127.0.0.1" };

/** Starts the authority, by default on loopback. It ends with the test. */
export async function openPebble(terms: PebbleTerms = onThisMachine): Promise<Pebble> {
  const folder = openScratchFolder();
  const { host, name, challengePort = await freePort() } = terms;
  const [listen, management, dns, control] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const config = writeConfig(folder, {
    names: ["localhost", name],
    listenAddress: `${host}:${listen}`,
    managementListenAddress: `127.0.0.1:${management}`,
    httpPort: challengePort,
  });
  const names = Bun.spawn(
    [
      "pebble-challtestsrv",
      `-dns01=127.0.0.1:${dns}`,
      `-management=127.0.0.1:${control}`,
      `-defaultIPv4=${terms.shopAddress}`,
      "-defaultIPv6=",
      "-http01=",
      "-https01=",
      "-tlsalpn01=",
    ],
    { stdout: "ignore", stderr: "ignore" },
  );
  let authority: Bun.Subprocess | null = null;
  const start = async () => {
    authority = Bun.spawn(
      ["pebble", "-strict", "-config", config, "-dnsserver", `127.0.0.1:${dns}`],
      {
        env: {
          PATH: process.env.PATH ?? "",
          PEBBLE_VA_NOSLEEP: "1",
          PEBBLE_AUTHZREUSE: "0",
          PEBBLE_WFE_NONCEREJECT: REFUSED_NONCES,
        },
        stdout: "ignore",
        stderr: "ignore",
      },
    );
    await untilListening(host, listen);
  };
  const stop = async () => {
    authority?.kill();
    await authority?.exited;
  };
  await start();
  return {
    directory: `https://${name}:${listen}/dir`,
    authorityPath: folder.file("authority.pem"),
    challengePort,
    root: async () => {
      const ca = readFileSync(folder.file("authority.pem"), "utf8");
      return (await fetch(`https://localhost:${management}/roots/0`, { tls: { ca } })).text();
    },
    start,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      names.kill();
      await names.exited;
      folder[Symbol.dispose]();
    },
  };
}

interface Listening {
  readonly listenAddress: string;
  readonly managementListenAddress: string;
  readonly httpPort: number;
}

function writeConfig(
  folder: ScratchFolder,
  { names, ...listening }: Listening & { readonly names: readonly string[] },
): string {
  const key = newKey();
  const [certificate, privateKey] = [folder.file("authority.pem"), folder.file("authority.key")];
  // It began a while ago, as far as other programs are exact.
  writeFileSync(certificate, selfSigned(names, key, Date.now() - DAY_MS / 2));
  writeFileSync(privateKey, keyText(key));
  const config = folder.file("pebble.json");
  const pebble = {
    ...listening,
    certificate,
    privateKey,
    tlsPort: 1,
    ocspResponderURL: "",
    externalAccountBindingRequired: false,
  };
  writeFileSync(config, JSON.stringify({ pebble }));
  return config;
}
