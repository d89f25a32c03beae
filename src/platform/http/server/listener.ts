// Listens, with or without TLS. A certificate expires under a running server, and Bun keeps the one that it
// started with, also after `reload`. So a new certificate gets a listener of its own on the same port, and
// the earlier one finishes its requests. Invariant: some listener takes connections at every moment.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

import { MINUTE_MS } from "#kernel/time.ts";

export interface TlsPaths {
  readonly certificatePath: string;
  readonly keyPath: string;
}

type Handlers = Pick<Bun.Serve.Options<undefined>, "maxRequestBodySize"> & {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly routes: Record<string, (request: Request) => Response | Promise<Response>>;
  readonly idleTimeout: number;
};

export interface ListenerTerms {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsPaths | null;
  readonly handlers: Handlers;
  /** Called with the end of its validity when a new certificate is in use. */
  readonly onRenewed: (validTo: string) => void;
  /** Called when a new certificate cannot be used; the earlier one stays in use. */
  readonly onFault: (error: unknown) => void;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** How often the files are read: certificates are renewed weeks before they expire. */
const LOOK_MS = MINUTE_MS;

/** The files of the settings are no certificate with its key. */
export class UnusableCertificate extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnusableCertificate";
  }
}

export class Listener {
  readonly #terms: ListenerTerms;
  readonly port: number;
  /** The newest first; earlier ones are finishing their requests. */
  #servers: readonly Bun.Server<undefined>[];
  #certificate: Certificate | null;
  readonly #timer: ReturnType<typeof setInterval> | null;

  constructor(terms: ListenerTerms) {
    this.#terms = terms;
    this.#certificate = terms.tls === null ? null : readCertificate(terms.tls);
    const port = terms.tls === null ? terms.port : freePort(terms);
    const first = this.#serve(port);
    this.#servers = [first];
    this.port = first.port ?? port;
    this.#timer = terms.tls === null ? null : setInterval(() => this.renew(), LOOK_MS);
    this.#timer?.unref();
  }

  /** The address from which a request comes; empty if its connection is closed. */
  peerOf(request: Request): string {
    for (const server of this.#servers) {
      const peer = server.requestIP(request)?.address;
      if (peer !== undefined) return peer;
    }
    return "";
  }

  /**
   * Takes the certificate of the files into use if it is another one. Connections that have no request
   * in flight are closed, as on any server that closes idle ones; so are those in the middle of a
   * handshake, since Bun cannot stop listening without that. A request that has begun is answered.
   */
  renew(): void {
    const { tls, onRenewed, onFault } = this.#terms;
    if (tls === null) return;
    const before = this.#certificate;
    try {
      const found = readCertificate(tls);
      if (found.cert === before?.cert && found.key === before.key) return;
      this.#certificate = found;
      const next = this.#serve(this.port);
      const earlier = this.#servers;
      this.#servers = [next, ...earlier];
      for (const server of earlier) void this.#finish(server);
      onRenewed(new X509Certificate(found.cert).validTo);
    } catch (error) {
      this.#certificate = before;
      onFault(error);
    }
  }

  /** Stops taking connections, waits at most this long for requests in flight, then closes. */
  async stop(withinMs: number): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    const servers = this.#servers;
    await Promise.race([Promise.all(servers.map((one) => one.stop())), Bun.sleep(withinMs)]);
    await Promise.all(servers.map((one) => one.stop(true)));
  }

  async #finish(server: Bun.Server<undefined>): Promise<void> {
    await server.stop();
    this.#servers = this.#servers.filter((one) => one !== server);
  }

  #serve(port: number): Bun.Server<undefined> {
    const certificate = this.#certificate;
    return Bun.serve({
      ...this.#terms.handlers,
      hostname: this.#terms.host,
      port,
      development: false,
      // Bun's default outside development is true: a second server on the port would silently take
      // half of the requests. With TLS it is needed, and `freePort` looks for the other server.
      reusePort: certificate !== null,
      ...(certificate === null ? {} : { tls: certificate }),
    });
  }
}

/** Reads both files. Throws if they do not belong together, as while they are being replaced. */
function readCertificate({ certificatePath, keyPath }: TlsPaths): Certificate {
  const cert = readFileSync(certificatePath, "utf8");
  const key = readFileSync(keyPath, "utf8");
  const certificate = parsed(
    () => new X509Certificate(cert),
    `${certificatePath} is no certificate`,
  );
  const ofKey = parsed(() => createPrivateKey(key), `${keyPath} is no private key`);
  if (!certificate.checkPrivateKey(ofKey)) {
    throw new UnusableCertificate(
      `${keyPath} is not the key of the certificate in ${certificatePath}.`,
    );
  }
  return { cert, key };
}

/** The words of OpenSSL name no file. */
function parsed<T>(parse: () => T, fault: string): T {
  try {
    return parse();
  } catch (error) {
    throw new UnusableCertificate(`${fault} in PEM.`, { cause: error });
  }
}

/** The port, or any free one for 0. Throws as listening does if another program has it. */
function freePort({ host, port }: Pick<ListenerTerms, "host" | "port">): number {
  const probe = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    fetch: () => new Response(null, { status: 503 }),
  });
  const found = probe.port ?? port;
  void probe.stop(true);
  return found;
}
