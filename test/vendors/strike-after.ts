// Something happens at a vendor after it answered a call, and before the shop takes the answer.

import type { Gateway } from "#payments/port/gateway.ts";

/** Does the work once, after the gateway's next answer to the call. */
export function strikeAfter(
  gateway: Gateway,
  call: "initiate" | "verify" | "cancel" | "refund" | "findRefunds" | "findDisputes",
  work: () => Promise<unknown>,
): void {
  let isDone = false;
  const struck = async <T>(answer: Promise<T>): Promise<T> => {
    const told = await answer;
    if (isDone) return told;
    isDone = true;
    await work();
    return told;
  };
  const initiate = gateway.initiate.bind(gateway);
  const verify = gateway.verify.bind(gateway);
  const cancel = gateway.cancel.bind(gateway);
  const refund = gateway.refund.bind(gateway);
  const findRefunds = gateway.findRefunds.bind(gateway);
  const findDisputes = gateway.findDisputes?.bind(gateway);
  const calls: Pick<Gateway, typeof call> = {
    initiate: (...given) => struck(initiate(...given)),
    verify: (...given) => struck(verify(...given)),
    cancel: (...given) => struck(cancel(...given)),
    refund: (...given) => struck(refund(...given)),
    findRefunds: (...given) => struck(findRefunds(...given)),
    findDisputes: (...given) =>
      struck(findDisputes?.(...given) ?? Promise.reject(new Error("It has no disputes."))),
  };
  Object.assign(gateway, { [call]: calls[call] });
}
