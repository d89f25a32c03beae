// Verifies what authenticators sign (WebAuthn 2), with a library that is loaded on the first use. Everything that comes
// in was written by strangers: what is not as it must be is null, for whatever reason.

import { isObject } from "#kernel/assume.ts";

import type { Passkey, RelyingParty } from "./passkey.ts";

/** COSE's numbers of ES256 and RS256, which all authenticators have between them. */
export const ALGORITHMS = [-7, -257];
/** More characters than a key, a certificate and a signature of any kind take. */
const LENGTH_MAX = 16_384;
/** The id of a credential: 1,023 bytes at most, in base64url. */
const ID = /^[\w-]{1,1364}$/;

/** A credential as the browser sent it. */
interface Sent {
  readonly id: string;
  /** The challenge that it says it signed. */
  readonly challenge: string;
  readonly response: Readonly<Record<string, unknown>>;
  readonly clientDataJSON: string;
}

/** Reads the text of a `PublicKeyCredential`; null for every other text. */
export function readCredential(text: string): Sent | null {
  if (text.length > LENGTH_MAX) return null;
  const given = parse(text);
  const { id, response } = given;
  if (typeof id !== "string" || !ID.test(id) || !isObject(response)) return null;
  const { clientDataJSON } = response;
  if (typeof clientDataJSON !== "string") return null;
  const { challenge, crossOrigin } = parse(Buffer.from(clientDataJSON, "base64url").toString());
  // No page of another site has the dashboard in a frame.
  if (typeof challenge !== "string" || crossOrigin === true) return null;
  return { id, challenge, response, clientDataJSON };
}

/** The members of an object in JSON; none of any other text. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns the count of uses that the authenticator signed, if the passkey signed for this page. */
export async function verifyAssertion(
  { id, challenge, response, clientDataJSON }: Sent,
  passkey: Passkey,
  party: RelyingParty,
): Promise<number | null> {
  const { authenticatorData, signature, userHandle } = response;
  if (typeof authenticatorData !== "string" || typeof signature !== "string") return null;
  const holder = Buffer.from(passkey.personId).toString("base64url");
  if (typeof userHandle === "string" && userHandle !== holder) return null;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  return verified(async () => {
    const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      credential: {
        id,
        publicKey: Uint8Array.fromBase64(passkey.publicKey, { alphabet: "base64url" }),
        counter: passkey.signCount,
      },
      ...expectedOf(challenge, party),
    });
    return isRight ? authenticationInfo.newCounter : null;
  });
}

/** Returns the new passkey, if an authenticator made it for this page. */
export async function verifyRegistration(
  { id, challenge, response, clientDataJSON }: Sent,
  party: RelyingParty,
): Promise<Pick<Passkey, "id" | "publicKey" | "signCount"> | null> {
  const { attestationObject } = response;
  if (typeof attestationObject !== "string") return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  return verified(async () => {
    const attested = decodeAttestationObject(
      Uint8Array.fromBase64(attestationObject, { alphabet: "base64url" }),
    );
    // The page does not ask who made the authenticator; to verify a certificate, addresses that it names would be called.
    if (attested.get("fmt") !== "none" && attested.get("attStmt").get("x5c") !== undefined) {
      return null;
    }
    const { verified: isRight, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      supportedAlgorithmIDs: ALGORITHMS,
      ...expectedOf(challenge, party),
    });
    if (!isRight || registrationInfo.credential.id !== id) return null;
    const { publicKey, counter: signCount } = registrationInfo.credential;
    return {
      id,
      publicKey: publicKey.toBase64({ alphabet: "base64url", omitPadding: true }),
      signCount,
    };
  });
}

function expectedOf(challenge: string, { host, origin }: RelyingParty) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}

/** The library throws for each thing that is wrong, and does nothing but look at what was sent. */
function verified<T>(work: () => Promise<T | null>): Promise<T | null> {
  return work().catch(() => null);
}
