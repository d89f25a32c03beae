// When code is compiled. The executable is built so that the compiler waits 16 times as long as usual: what runs once, at
// the start, is not worth it, and the threads that compile take the time of the one that starts. From the sources it
// never waits.

/** From now on code that runs often is compiled as soon as usual: call it when the start is over. */
export function compileEagerly(): void {
  Bun.unsafe.setJITPolicy(1);
}
