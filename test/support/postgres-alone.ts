// A program of its own that starts a server, says which, and waits until it is killed.

import { startPostgres } from "./postgres-server.ts";

const { id, folder } = await startPostgres();
process.stdout.write(JSON.stringify({ id, folder }));
setInterval(() => id, 60_000);
