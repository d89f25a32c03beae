// Certificates for TLS receivers, created when a test starts, so that the repository holds none that
// expires.

import { generateKeyPairSync, randomBytes } from "node:crypto";

import forge from "node-forge";

/** A server's certificate and key, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The authority that signed all but the self-signed one. */
  readonly authority: string;
  /** For hooks.example, shop.example and 127.0.0.1. */
  readonly good: Certificate;
  /** Like `good`, but expired years ago. */
  readonly expired: Certificate;
  /** For other.example. */
  readonly wrongName: Certificate;
  /** For hooks.example, self-signed. */
  readonly selfSigned: Certificate;
}

interface Terms {
  /** Host names, and addresses of IPv4. */
  readonly names: readonly string[];
  /** Days from now. */
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** The subjectAltName types of a host name and of an address (RFC 5280, section 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

const AUTHORITY = [{ name: "commonName", value: "Duka test authority" }];
const RECEIVER = [{ name: "commonName", value: "Duka test receiver" }];
const GOOD = { names: ["hooks.example", "shop.example", "127.0.0.1"], from: -1, to: 1 };

/** Makes all of them with one key; only their contents differ. */
export function makeCertificates(): Certificates {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const signer = forge.pki.privateKeyFromPem(privateKey);
  const certify = (terms: Terms, subject = RECEIVER, issuer = AUTHORITY): Certificate => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.setRsaPublicKey(signer.n, signer.e);
    certificate.serialNumber = `01${randomBytes(8).toString("hex")}`;
    certificate.validity.notBefore = new Date(Date.now() + terms.from * DAY_MS);
    certificate.validity.notAfter = new Date(Date.now() + terms.to * DAY_MS);
    certificate.setSubject(subject);
    certificate.setIssuer(issuer);
    certificate.setExtensions(
      subject === AUTHORITY
        ? [{ name: "basicConstraints", cA: true, critical: true }]
        : [{ name: "subjectAltName", altNames: terms.names.map(altName) }],
    );
    certificate.sign(signer, forge.md.sha256.create());
    return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
  };
  return {
    authority: certify({ names: [], from: -1, to: 2 }, AUTHORITY).cert,
    good: certify(GOOD),
    expired: certify({ ...GOOD, from: -800, to: -400 }),
    wrongName: certify({ ...GOOD, names: ["other.example"] }),
    selfSigned: certify({ ...GOOD, names: ["hooks.example"] }, RECEIVER, RECEIVER),
  };
}

function altName(name: string) {
  return /^[\d.]+$/.test(name) ? { type: IP_ADDRESS, ip: name } : { type: DNS_NAME, value: name };
}
