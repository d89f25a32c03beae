// The interface as pages of this server ask it: by the name of a route, in the process, with the same checks.

import type { TSchema } from "typebox";

import { comparesVersions, type RoutesOfPath } from "#platform/http/calls/bound-route.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

import type { Dispatcher } from "./dispatch.ts";

/** A request of a page. */
export interface InsideRequest {
  /** Method and path of a route, such as `POST /v2/orders/{id}/fulfill`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly idempotencyKey?: string;
  /** The version that the resource must have, where the route compares any. */
  readonly ifVersion?: string;
  /** The request of the page. */
  readonly request: Request;
}

export class Inside {
  readonly #dispatcher: Dispatcher;
  readonly #paths: ReadonlyMap<string, RoutesOfPath>;

  constructor(dispatcher: Dispatcher, paths: ReadonlyMap<string, RoutesOfPath>) {
    this.#dispatcher = dispatcher;
    this.#paths = paths;
  }

  /** The answer to the caller; a refusal is a problem document. Throws if there is no such route. */
  ask(caller: Caller, question: InsideRequest): Promise<Answer> {
    const { params = {}, query = {}, body = {}, ifVersion } = question;
    const { method, pattern, routes, route } = this.#find(question.route);
    const search = new URLSearchParams(query).toString();
    return this.#dispatcher.ask(caller, {
      routes,
      method,
      params,
      body,
      path: pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(params[name] ?? ""),
      ),
      search: search === "" ? "" : `?${search}`,
      idempotencyKey: question.idempotencyKey ?? null,
      ifMatch: ifVersion === undefined || !comparesVersions(route) ? null : `"${ifVersion}"`,
      request: question.request,
    });
  }

  /** The schema of what is sent to the route; null for one that takes nothing. */
  bodySchemaOf(name: string): TSchema | null {
    return this.#find(name).route.body;
  }

  #find(name: string): {
    readonly method: string;
    readonly pattern: string;
    readonly routes: RoutesOfPath;
    readonly route: AnyRoute;
  } {
    const [method = "", pattern = ""] = name.split(" ");
    const routes = this.#paths.get(pattern);
    const bound = routes?.get(method);
    if (routes === undefined || bound === undefined) throw new Error(`There is no route ${name}.`);
    return { method, pattern, routes, route: bound.route };
  }
}
