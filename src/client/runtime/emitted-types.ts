// What this folder needs of the emitted types, so that it is checked and tested by itself. The emitted
// client has the types of the document in their place.

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
