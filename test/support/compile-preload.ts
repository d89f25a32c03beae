// Elysia writes the code of each router and of each handler anew. A program does so once; a test process opens
// thousands of shops with the same routes, so the same code is compiled once. A function that is made of a text knows
// nothing but what it is called with, so that it is the same one for all.

const compiled = new Map<string, unknown>();

Object.assign(globalThis, {
  Function: new Proxy(Function, {
    apply: (target, self, texts: readonly unknown[]): unknown => {
      const code = texts.join("\0");
      if (!compiled.has(code)) compiled.set(code, Reflect.apply(target, self, texts));
      return compiled.get(code);
    },
  }),
});
