// What this folder needs of the emitted file, so that it is checked and tested by itself. The emitted
// client has the version and the types of the document in their place.

/** The version of the program that emitted the client. */
export const VERSION = "1.2.3";

export type RefusalCode = "not_found" | "validation_failed";

export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id: string;
  readonly retryable: boolean;
  readonly errors: readonly {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
    readonly code: string;
    readonly detail: string;
  }[];
}

export interface Event {
  readonly id: string;
  readonly event: string;
}

export interface WebhookPing {
  readonly id: string;
  readonly event: "webhook.ping";
}
