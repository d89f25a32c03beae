// An example storefront on the typed client and a publishable key, without a build step. The address says which view
// is shown; every view is a page load, so that back, forward and reload do what they should.

import { findCart, showCart, showCount } from "./cart.js";
import { showCheckout, showThanks } from "./checkout.js";
import { CHOICES } from "./filters.js";
import { addressOf, make, say, show } from "./parts.js";
import { showProduct, showProducts } from "./products.js";

const parameters = new URL(location.href).searchParams;

async function showView() {
  if (parameters.has("order"))
    return showThanks(parameters.get("order"), parameters.get("payment"));
  if (parameters.has("product")) return showProduct(parameters.get("product"));
  if (parameters.get("view") === "checkout") return showCheckout();
  if (parameters.get("view") === "cart") return showCart(await findCart());
  const asked = ["collection", "q", ...CHOICES].map((name) => [name, parameters.get(name)]);
  return showProducts(Object.fromEntries(asked));
}

async function showLinks() {
  document.querySelector("#home").href = addressOf({});
  showCount(parameters.has("order") ? null : await findCart());
}

try {
  await showLinks();
  await showView();
} catch (error) {
  show(make("a", { href: addressOf({}) }, "See all products"));
  say(error.message);
}
document.body.dataset.ready = "";

// A page that the browser kept shows what was before.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
