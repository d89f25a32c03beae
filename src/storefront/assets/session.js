// Who is signed in: the token of the session, and where it is kept.

const SAVED_AS = "customer-token";

/** That of this tab: on a device of many people, a tab that was closed is signed out. A page of no origin has none. */
function storageOfTab() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const storage = storageOfTab();

/**
 * Without storage, the token is in the part of the address that browsers send nowhere. In test mode alone: who copies the
 * address gives the session away, and who follows one may be signed in as another.
 */
const isInAddress = storage === null && document.body.dataset.key.startsWith("test_");

let token = isInAddress ? location.hash.slice(1) : (storage?.getItem(SAVED_AS) ?? "");
if (!/^cst_\w+$/.test(token)) token = "";

/** The token of the customer who is signed in; undefined for a guest. */
function customerToken() {
  return token === "" ? undefined : token;
}

/** Keeps the token of a session that began; an empty one is that of a session that ended. */
function keepToken(given) {
  token = given;
  if (given === "") storage?.removeItem(SAVED_AS);
  else storage?.setItem(SAVED_AS, given);
}

/** What an address of this page ends with, so that the session of a test shop goes along. */
function sessionHash() {
  return isInAddress ? token : "";
}

export { customerToken, keepToken, sessionHash };
