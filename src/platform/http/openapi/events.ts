// Events in the document: a schema for each, their union by name, and the requests that webhooks receive.

import Type, { type TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";

import type { Components } from "./components.ts";
import type { AnswerWriting } from "./refused.ts";
import { withExample } from "./words.ts";

type Json = Record<string, unknown>;

/** An event or a message of a webhook. */
export interface EventSchema {
  readonly description: string;
  /** The schema of the `data` of an event, or of the whole body of a message. */
  readonly payload: TSchema;
}

export interface EventTerms {
  /** The envelope of every event around its `data`. Its component becomes the union of all events. */
  readonly envelope: TSchema;
  /** By the name of the event. */
  readonly schemas: Readonly<Record<string, EventSchema>>;
  /** The messages that webhooks receive beside events, by name. */
  readonly messages: Readonly<Record<string, EventSchema>>;
}

/** The component `Event`, and the section `webhooks`. */
export function describeEvents(
  { envelope, schemas, messages }: EventTerms,
  { components, shared, examples }: AnswerWriting,
) {
  const references = Object.entries(schemas).map(([name, event]) => {
    const data = newsOf({ ...event.payload }, components);
    const whole = eventOf({ ...envelope }, { name, description: event.description, data });
    return { name, event, reference: components.named(`${pascal(name)}Event`, whole, "recorded") };
  });
  const union = {
    oneOf: references.map(({ reference }) => reference),
    discriminator: {
      propertyName: "event",
      mapping: Object.fromEntries(
        references.map(({ name, reference }) => [name, reference["$ref"]]),
      ),
    },
  };
  const others = Object.entries(messages).map(([name, event]) => ({
    name,
    event,
    reference: components.of(event.payload),
  }));
  const responses = { "2XX": shared.named("WebhookReceived", received) };
  const webhooks = Object.fromEntries(
    [...references, ...others].map(({ name, event, reference }) => {
      const content = withExample(reference, examples.events[name]);
      return [name, { post: { ...request(name, event, content), responses } }];
    }),
  );
  return { union, webhooks };
}

interface EventParts {
  readonly name: string;
  readonly description: string;
  readonly data: Json;
}

function eventOf(
  { "x-component": _name, ...envelope }: Json,
  { name, description, data }: EventParts,
): Json {
  return {
    ...envelope,
    description,
    properties: {
      ...Object(envelope["properties"]),
      event: { type: "string", const: name },
      data,
    },
  };
}

/**
 * The news of a resource, under a name of their own: `POST /v2/test/trigger` adds a member that the resource of the same
 * shape does not have.
 */
function newsOf({ "x-component": name, ...payload }: Json, components: Components): Json {
  const { anyOf, properties } = payload;
  if (Array.isArray(anyOf)) {
    return { ...payload, anyOf: anyOf.map((one) => newsOf({ ...one }, components)) };
  }
  if (!isObject(properties)) throw new Error("The payload of an event is an object.");
  const data = { ...payload, properties: { ...properties, triggered } };
  if (typeof name !== "string") return data;
  return components.named(`${name.replace(/News$/, "")}News`, data, "recorded");
}

const triggered = Type.Boolean({
  description: "Only in samples of test mode: `data` is about nothing that exists.",
});

function request(name: string, { description }: EventSchema, content: Json): Json {
  return {
    operationId: `on${pascal(name)}`,
    tags: ["Webhooks"],
    summary: name,
    description,
    security: [],
    parameters: signatureHeaders,
    requestBody: { required: true, content },
  };
}

const received: Json = {
  description: "Received. Any other status, or none within 15 seconds, is retried.",
};

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** As Standard Webhooks has them. */
const signatureHeaders = [
  header("webhook-id", "The id of the event, the same in every attempt."),
  header("webhook-timestamp", "Seconds since 1970; refuse what is older than five minutes."),
  header("webhook-signature", "`v1,` and the signature in base64, for each secret that is valid."),
];

/** `order.paid` as `OrderPaid`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
