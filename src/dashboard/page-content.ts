// What a page shows to one visitor, before the frame is put around it.

import type { Html } from "#platform/html/html.ts";

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** An id or the beginning of an event's name: the page shows such news while it is looked at. */
  readonly follows?: string;
  /** Whether work goes on: the browser asks for the page again after 2 s; with a script, while it has a `progress`. */
  readonly isAtWork?: boolean;
  /** Whether it shows a secret, which no cache may keep. */
  readonly isSecret?: boolean;
  /** 200 by default. */
  readonly status?: number;
}
