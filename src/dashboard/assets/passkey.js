// Passkeys: a button asks the browser for one, and its form is sent with what the authenticator signed. A browser that
// has none shows no button, and the other ways stay.

const passkeys = globalThis.PublicKeyCredential;
const canParse =
  passkeys?.parseCreationOptionsFromJSON !== undefined &&
  passkeys.parseRequestOptionsFromJSON !== undefined;

/** What an authenticator makes or signs by the options that the shop gave. */
function askFor(purpose, options) {
  return purpose === "register"
    ? navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(options) });
}

async function use(button) {
  const { purpose, field, busy, failed } = button.dataset;
  const { form } = button;
  const fault = button.parentElement.querySelector("[role=alert]");
  if (purpose === "register" && !form.reportValidity()) return;
  fault.textContent = "";
  button.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(`/dashboard/passkey/${purpose}`, { method: "POST" });
    if (!response.ok) {
      fault.textContent = busy;
      return;
    }
    const credential = await askFor(purpose, await response.json());
    const given = form.elements.namedItem(field);
    given.value = JSON.stringify(credential.toJSON());
    // Without its own check: the password next to it is empty. A field of the form may be called `submit`.
    HTMLFormElement.prototype.submit.call(form);
    // The page stays where a file comes, and a passkey signs once.
    given.value = "";
  } catch {
    fault.textContent = failed;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

if (canParse) {
  for (const none of document.querySelectorAll("[data-no-passkeys]")) none.hidden = true;
  for (const button of document.querySelectorAll("button[data-purpose]")) {
    button.parentElement.hidden = false;
    button.addEventListener("click", (event) => {
      event.preventDefault();
      void use(button);
    });
  }
}
