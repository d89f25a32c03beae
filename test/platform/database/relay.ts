// A way to a server that a test can make bad: it swallows everything, or leads to another server.

import { connect, createServer, type Socket } from "node:net";

export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** How many connections were made to it. */
  readonly accepted: number;
  /** From now on no bytes pass, in either direction, and neither end is informed. */
  swallow(): void;
  /** New connections lead there; those that are open end. */
  turnTo(port: number): void;
}

/** Listens on a free port of the loopback interface; disposing it cuts every connection. */
export async function openRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let leadsTo = target;
  let isSwallowing = false;
  let accepted = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // Closing this socket informs the other end.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const pass = (from: Socket, to: Socket) => {
    from.on("data", (bytes) => {
      if (!isSwallowing) to.write(bytes);
    });
    from.on("close", () => {
      if (!isSwallowing) to.destroy();
    });
  };
  const server = createServer((near) => {
    accepted += 1;
    const far = connect(leadsTo, "127.0.0.1");
    for (const socket of [near, far]) keep(socket);
    pass(near, far);
    pass(far, near);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get accepted() {
      return accepted;
    },
    swallow: () => (isSwallowing = true),
    turnTo: (port) => {
      leadsTo = port;
      cut();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((done) => server.close(done));
      cut();
      await closed;
    },
  };
}
