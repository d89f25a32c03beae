// Bodies of responses that come from another server while they are sent. Invariant: of each no more is in memory than one
// part and what the connections' buffers hold, since the next part is asked for when the client has taken this one.

import type { Parts } from "#platform/net/call-for-parts.ts";

/** Makes the body of a response. `onFault` is told once what broke it off, and the client's connection is closed. */
export type OpenStream = (
  parts: Parts,
  onFault: (error: unknown) => void,
) => ReadableStream<Uint8Array>;

/**
 * At most so many bodies are open. One more ends the one that was taken from longest ago: clients that take nothing keep
 * none of the connections that the program may have.
 */
export function openStreams(max: number): OpenStream {
  /** The one that was taken from longest ago is the first. */
  const open = new Map<Parts, ReadableStreamDefaultController<Uint8Array>>();
  const makeRoom = () => {
    const [oldest] = open;
    if (oldest === undefined || open.size < max) return;
    const [parts, controller] = oldest;
    open.delete(parts);
    parts.end();
    controller.error(new Error("Another client took its place."));
  };
  return (parts, onFault) =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          makeRoom();
          open.set(parts, controller);
        },
        pull: async (controller) => {
          // It moves behind the others.
          open.delete(parts);
          open.set(parts, controller);
          try {
            const part = await parts.next();
            if (part !== null) controller.enqueue(part);
            else if (open.delete(parts)) controller.close();
          } catch (error) {
            // A stream that was ended here is no fault.
            if (!open.delete(parts)) return;
            onFault(error);
            controller.error(error);
          }
        },
        cancel: () => {
          open.delete(parts);
          parts.end();
        },
      },
      { highWaterMark: 0 },
    );
}
