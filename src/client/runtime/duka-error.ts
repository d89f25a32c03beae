// The one error of the client. Part of the emitted file.

import type { Problem, RefusalCode } from "./emitted-types.ts";

/** `connection_failed`, `answer_invalid` and `webhook_invalid` come from the client itself. */
export type ErrorCode = RefusalCode | "connection_failed" | "answer_invalid" | "webhook_invalid";

/** Thrown by every call that is refused or gets no answer. Branch on `code`, which never changes. */
export class DukaError extends Error {
  override readonly name = "DukaError";
  /** A newer server may answer codes that this type does not list. */
  readonly code: ErrorCode;
  /** The status of the answer; 0 without one. */
  readonly status: number;
  /** Whether the same request, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** The whole answer; some codes have members of their own. */
  readonly problem: Problem | null;
  readonly headers: Headers;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { status = 0, retryable = false, problem = null, headers = new Headers() } = details;
    super(message, { cause: details.cause });
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.problem = problem;
    this.headers = headers;
  }

  /** Everything that is wrong with the request, each with a pointer into the body. */
  get errors(): Problem["errors"] {
    return this.problem?.errors ?? [];
  }

  /** Names the request in the server's log. */
  get requestId(): string | null {
    return this.headers.get("x-request-id");
  }

  /** Seconds that the server asks to wait before the next attempt; 0 where it does not say. */
  get retryAfter(): number {
    return Number(this.headers.get("retry-after")) || 0;
  }
}

interface ErrorDetails {
  status?: number;
  retryable?: boolean;
  problem?: Problem;
  headers?: Headers;
  cause?: unknown;
}
