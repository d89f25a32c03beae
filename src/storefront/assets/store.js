// An example storefront on the typed client and a publishable key, without a build step. The address says which view
// is shown; every view is a page load, so that back, forward and reload do what they should.

import { findMe, showAccount, showSignIn, showWho } from "./account.js";
import { findCart, showCart, showCount } from "./cart.js";
import { showCheckout, showThanks } from "./checkout.js";
import { askedOf } from "./filters.js";
import { addressOf, make, say, show } from "./parts.js";
import { showProduct, showProducts } from "./products.js";

const parameters = new URL(location.href).searchParams;

async function showView(me) {
  if (parameters.has("order"))
    return showThanks(parameters.get("order"), parameters.get("payment"));
  if (parameters.has("product")) return showProduct(parameters.get("product"));
  if (parameters.get("view") === "checkout") return showCheckout(me);
  if (parameters.get("view") === "account") return showAccount(me);
  if (parameters.get("view") === "sign-in") return showSignIn(parameters.get("next") ?? "account");
  if (parameters.get("view") === "cart") return showCart(await findCart());
  return showProducts(askedOf(parameters));
}

async function showLinks(me) {
  showWho(me);
  document.querySelector("#home").href = addressOf({});
  showCount(parameters.has("order") ? null : await findCart());
}

// A page that the browser kept for going back shows what was before, and maybe someone who has signed out since.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

try {
  const me = await findMe();
  await showLinks(me);
  await showView(me);
} catch (error) {
  show(make("a", { href: addressOf({}) }, "See all products"));
  say(error.message);
}
document.body.dataset.ready = "";
