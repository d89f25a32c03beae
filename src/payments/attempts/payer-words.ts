// The words for a payer where neither the gateway nor the merchant has words for it, in the languages of the pages.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { PayerTask } from "#payments/rows/payment-life.ts";
import { type Language, languageOf } from "#shop/store/branding.ts";
import { methodInstructions, methodTermsOf } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

interface PayerWords {
  readonly approve: string;
  readonly enterCode: string;
  readonly dial: (ussd: string) => string;
  readonly payTo: (account: string, reference: string) => string;
  /** How each method is paid by hand. */
  readonly byHand: Readonly<Record<PaymentMethod, string>>;
}

export const payerWords: Readonly<Record<Language, PayerWords>> = {
  en: {
    approve: "Approve the payment on your phone.",
    enterCode: "Enter the code that you received.",
    dial: (ussd) => `Dial ${ussd} and follow the menu.`,
    payTo: (account, reference) => `Pay to ${account}, account ${reference}.`,
    byHand: methodInstructions,
  },
  fr: {
    approve: "Validez le paiement sur votre téléphone.",
    enterCode: "Saisissez le code que vous avez reçu.",
    dial: (ussd) => `Composez le ${ussd} et suivez les instructions.`,
    payTo: (account, reference) => `Payez au numéro ${account}, compte ${reference}.`,
    byHand: {
      mobile_money: "La boutique vous indiquera où envoyer l’argent.",
      card: "La boutique vous indiquera comment payer.",
      gateway: "La boutique vous indiquera comment payer.",
      cash_on_delivery: "Payez à la réception de votre commande.",
      bank_transfer: "La boutique vous indiquera où envoyer l’argent.",
      cash: "Payez en espèces à la boutique.",
    },
  },
  sw: {
    approve: "Idhinisha malipo kwenye simu yako.",
    enterCode: "Andika msimbo uliopokea.",
    dial: (ussd) => `Piga ${ussd} na ufuate maelekezo.`,
    payTo: (account, reference) => `Lipa kwa nambari ${account}, akaunti ${reference}.`,
    byHand: {
      mobile_money: "Duka litakuambia utume pesa wapi.",
      card: "Duka litakuambia jinsi ya kulipa.",
      gateway: "Duka litakuambia jinsi ya kulipa.",
      cash_on_delivery: "Lipa utakapopokea agizo lako.",
      bank_transfer: "Duka litakuambia utume pesa wapi.",
      cash: "Lipa pesa taslimu dukani.",
    },
  },
};

/** Returns what the payer is told to do, in the language of the locale. */
export function taskInWords(asked: PayerTask, locale: Store["locale"]): string {
  const words = payerWords[languageOf(locale)];
  switch (asked.task) {
    case "approve":
      return words.approve;
    case "enter_code":
      return words.enterCode;
    case "dial":
      return words.dial(asked.ussd);
    case "pay_to":
      return words.payTo(asked.account, asked.reference);
  }
}

/** Returns how to pay by hand: in the merchant's words, or in those of the shop's language. */
export function payByHandInWords(store: Store, method: PaymentMethod): string {
  const { instructions } = methodTermsOf(store, method);
  return instructions ?? payerWords[languageOf(store.locale)].byHand[method];
}

/** Returns true if no merchant wrote these instructions, in whatever language the shop had. */
export function isOwnInstruction(shown: string, method: PaymentMethod): boolean {
  return Object.values(payerWords).some(({ byHand }) => byHand[method] === shown);
}
