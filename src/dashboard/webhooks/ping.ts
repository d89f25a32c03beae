// A test event for the endpoint of the page, which leads to what came back.

import type { RequestForm } from "../forms/form.ts";
import { pathOf } from "./endpoint-words.ts";

export const PING: RequestForm = {
  route: "POST /v2/webhooks/{id}/ping",
  doneMessage: "pinged",
  redirectTo: ({ id }, { params }) => {
    const path = pathOf({ id: params["id"] ?? "" });
    return typeof id === "string" ? `${path}/deliveries/${id}` : path;
  },
};
