// The forms that make a new order of what was typed: sold at the counter, or placed to be paid later.

import { isObject } from "#kernel/assume.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { RequestForm } from "../../forms/form.ts";
import { changeQuery } from "../../parts/change.ts";
import { fieldOfChosenLine, onlyChosenLines } from "../chosen-lines.ts";
import { withAddress } from "./customer-part.ts";

export const sellForm: RequestForm = orderForm("sold", counterBody);
export const placeForm: RequestForm = orderForm("placed", laterBody);

function orderForm(
  doneMessage: RequestForm["doneMessage"],
  prepareBody: (body: JsonObject) => JsonObject,
): RequestForm {
  return {
    route: "POST /v2/orders",
    doneMessage,
    prepareBody: (body) => prepareBody(withCustomer(onlyChosenLines(body))),
    fieldOf: fieldOfChosenLine,
    redirectTo: ({ id, change_minor: change }, visit) => {
      const orderId = typeof id === "string" ? id : "";
      const query = typeof change === "number" ? changeQuery(visit, orderId, change) : "";
      return `/orders/${orderId}${query}`;
    },
  };
}

/** A customer of whom nothing was typed is none. */
function withCustomer({ customer, ...body }: JsonObject): JsonObject {
  const isKnown = isObject(customer) && Object.values(customer).some((value) => value !== null);
  return isKnown && customer !== undefined ? { ...body, customer } : body;
}

function laterBody({ paid: _paid, ...body }: JsonObject): JsonObject {
  return { ...withAddress(body), channel: "phone" };
}

/** The customer stands at the counter, pays in cash and takes everything along. */
function counterBody(typed: JsonObject): JsonObject {
  const { payment_method: _later, shipping_address: _home, paid, ...body } = typed;
  const tendered = paid !== null && typeof paid === "object" ? paid : {};
  return { ...body, channel: "pos", fulfilled: true, paid: { ...tendered, method: "cash" } };
}
