// How the last calls to each gateway went, as this program saw them. A gateway that fails is called by few at once.

/** The calls at once to a gateway, and to one whose last calls all failed. */
const WIDTH = 8;
const WIDTH_FAILING = 2;
/** So many failed calls in a row make a gateway failing. */
const FAILED_IN_A_ROW = 5;

export class GatewayHealth {
  /** The calls that failed since the last one that succeeded. */
  readonly #failed = new Map<string, number>();

  /** Records a call that was answered, or one whose outcome is unknown or that was not sent. */
  record(gateway: string, { isAnswered }: { readonly isAnswered: boolean }): void {
    this.#failed.set(gateway, isAnswered ? 0 : (this.#failed.get(gateway) ?? 0) + 1);
  }

  /** How many timers may call the gateway at once. */
  widthOf(gateway: string): number {
    return (this.#failed.get(gateway) ?? 0) < FAILED_IN_A_ROW ? WIDTH : WIDTH_FAILING;
  }
}
