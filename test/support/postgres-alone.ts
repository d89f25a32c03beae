// Starts a PostgreSQL, prints its process id and folder, and waits until it is killed.

import { startPostgres } from "./postgres-server.ts";

const { id, folder } = await startPostgres();
process.stdout.write(JSON.stringify({ id, folder }));
setInterval(() => id, 60_000);
