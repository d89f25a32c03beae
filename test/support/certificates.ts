// Certificates for receivers that speak TLS, made by openssl when a test begins, so that none lies in
// the repository and expires there.

import { openScratchFolder, type ScratchFolder } from "./scratch.ts";

/** What a server shows, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The authority that signed all but the self-signed one. */
  readonly authority: string;
  /** For hooks.example, shop.example and 127.0.0.1. */
  readonly good: Certificate;
  /** As good was, until years ago. */
  readonly expired: Certificate;
  /** For other.example. */
  readonly wrongName: Certificate;
  /** For hooks.example, vouched for by nobody. */
  readonly selfSigned: Certificate;
}

const GOOD_NAMES = "DNS:hooks.example,DNS:shop.example,IP:127.0.0.1";

const SETTINGS = `
[req]
distinguished_name = name
[name]
[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/** Makes them all, with one key: only what they say differs. */
export async function makeCertificates(): Promise<Certificates> {
  using folder = openScratchFolder();
  await Bun.write(folder.file("settings.cnf"), SETTINGS);
  await Bun.write(folder.file("index.txt"), "");
  await run(folder, "ecparam -name prime256v1 -genkey -noout -out key.pem");
  await run(folder, `${request("Authority", "CA:TRUE")} -x509 -days 2 -out authority.pem`);
  const key = await Bun.file(folder.file("key.pem")).text();
  const sign = async (names: string, from: number, to: number) => {
    const lasting = `-startdate ${stamp(from)} -enddate ${stamp(to)}`;
    await run(folder, `${request(names)} -out request.pem`);
    await run(
      folder,
      `ca -batch -notext -config settings.cnf -cert authority.pem -keyfile key.pem ${lasting} -in request.pem -out signed.pem`,
    );
    return { key, cert: await Bun.file(folder.file("signed.pem")).text() };
  };
  await run(folder, `${request("DNS:hooks.example")} -x509 -days 2 -out self.pem`);
  return {
    authority: await Bun.file(folder.file("authority.pem")).text(),
    good: await sign(GOOD_NAMES, -1, 1),
    expired: await sign(GOOD_NAMES, -800, -400),
    wrongName: await sign("DNS:other.example", -1, 1),
    selfSigned: { key, cert: await Bun.file(folder.file("self.pem")).text() },
  };
}

/** A request of openssl for these names, or for an authority. */
function request(names: string, constraints = "CA:FALSE"): string {
  const authority = constraints === "CA:TRUE";
  const extension = authority ? "basicConstraints=critical,CA:TRUE" : `subjectAltName=${names}`;
  const subject = authority ? "/CN=Duka test authority" : "/CN=Duka test receiver";
  return `req -new -config settings.cnf -key key.pem -subj ${subject.replaceAll(" ", "-")} -addext ${extension}`;
}

/** An instant some days from now, as openssl writes it. */
function stamp(days: number): string {
  const at = new Date(Date.now() + days * 86_400_000).toISOString();
  return `${at.slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
}

async function run(folder: ScratchFolder, command: string): Promise<void> {
  const child = Bun.spawn(["openssl", ...command.split(" ")], {
    cwd: folder.path,
    stdout: "ignore",
    stderr: "pipe",
  });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`openssl ${command}: ${complaint}`);
}
