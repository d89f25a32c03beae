// Elysia asks for a garbage collection after each router that it compiles. A program compiles two; a test process
// compiles thousands, and each collection looks through what all earlier tests left. The engine collects without being
// asked, so only what a test forces is done.

const collect = Bun.gc;

Object.assign(Bun, { gc: (isForced = false) => (isForced ? collect(true) : 0) });
