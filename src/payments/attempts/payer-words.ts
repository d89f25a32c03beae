// The words for a payer where neither the gateway nor the merchant has words for it, in the languages of the pages.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { PayerTask } from "#payments/rows/payment-life.ts";
import { type Language, languageOf } from "#shop/store/branding.ts";
import {
  accountInstructions,
  accountsOf,
  methodInstructions,
  methodTermsOf,
  type PaymentSettings,
  type ToldAccount,
} from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

interface PayerWords {
  readonly approve: string;
  readonly enterCode: string;
  readonly dial: (ussd: string) => string;
  readonly payTo: (account: string, reference: string) => string;
  /** How each method is paid by hand. */
  readonly byHand: Readonly<Record<PaymentMethod, string>>;
  /** The same above the accounts of the shop. */
  readonly toAccount: string;
}

export const payerWords: Readonly<Record<Language, PayerWords>> = {
  en: {
    approve: "Approve the payment on your phone.",
    enterCode: "Enter the code that you received.",
    dial: (ussd) => `Dial ${ussd} and follow the menu.`,
    payTo: (account, reference) => `Pay to ${account}, account ${reference}.`,
    byHand: methodInstructions,
    toAccount: accountInstructions,
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
    toAccount: "Envoyez l’argent sur un compte de la boutique.",
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
    toAccount: "Tuma pesa kwenye akaunti ya duka.",
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

interface ByHandQuestion {
  readonly method: PaymentMethod;
  readonly currency: CurrencyCode;
  readonly language: Language;
}

/** How a customer pays by hand. */
export interface ByHand {
  readonly instructions: string;
  readonly accounts: readonly ToldAccount[];
}

/** Returns how to pay by hand: in the merchant's words, or in those of the language. */
export function payByHand(
  store: PaymentSettings,
  { method, currency, language }: ByHandQuestion,
): ByHand {
  const { instructions } = methodTermsOf(store, method);
  const accounts = accountsOf(store, { method, currency });
  const { byHand, toAccount } = payerWords[language];
  return {
    instructions: instructions ?? (accounts.length > 0 ? toAccount : byHand[method]),
    accounts,
  };
}

/** Returns the instructions in the language; what the merchant wrote stays as it is. */
export function instructionsIn(language: Language, told: string, method: PaymentMethod): string {
  const all = Object.values(payerWords);
  if (all.some(({ byHand }) => byHand[method] === told)) return payerWords[language].byHand[method];
  if (all.some(({ toAccount }) => toAccount === told)) return payerWords[language].toAccount;
  return told;
}
