// Customers read in the language of the store's locale: every text of every page and email.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { EmailContent } from "#emails/content/write-letter.ts";
import { type EmailWords, en as enLetters } from "#emails/words/en.ts";
import { fr as frLetters } from "#emails/words/fr.ts";
import { sw as swLetters } from "#emails/words/sw.ts";
import { en, type Words } from "#pay-page/words/en.ts";
import { fr } from "#pay-page/words/fr.ts";
import { sw } from "#pay-page/words/sw.ts";
import { cancelReasons } from "#sales/rows/order-life.ts";
import { languageOf, tagOf } from "#shop/store/branding.ts";

import { type EveryPage, openEveryPage } from "./every-page.ts";

/** What reads the same in both languages. */
const same: ReadonlySet<string> = new Set(["Total", "Code", "Mobile Money", "Contact"]);
const names =
  /^(?:Akwaaba|Mug|Kanga|Goods|Rider|Bus|Osu shop|MTN|Telecel|Vodafone|AirtelTigo|Airtel|Tigo|HaloPesa|Moov|Zamtel|Free Money|M-PESA|Orange|Wave|Accra|Berlin|Ghana|Ada Mensah|1 High Street|DHL · JD01|AKWAABA|Akwaaba \(AKWAABA\)|Akwaaba, 12 Ring Road, Accra)$/;
/** Amounts, days, numbers and addresses of people. */
const facts =
  /US\$|\$US|\d{4}$|^[\d\s×+–—-]*$|@|^\+|^(?:\d+ × )?(?:Mug|Kanga)|^#|^n°|^pay_|^(?:GETFund|NHIL|VAT)/;

const withoutStyle = (html: string) => html.replace(/<style>[^]*?<\/style>/, "");

/** The texts between the tags, and those of attributes that are read. */
function textsOf(html: string): string[] {
  const body = html
    .replaceAll(/<select id="country"[^]*?<\/select>/g, "")
    .replaceAll(/<title>[^<]*<\/title>/g, "");
  const labels = [...body.matchAll(/(?:aria-label|placeholder)="([^"]*)"/g)].map(
    ([, it]) => it ?? "",
  );
  return [...labels, ...body.split(/<[^>]*>/)]
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => /\p{L}{2}/u.test(text));
}

const isOfTheShop = (text: string) => same.has(text) || names.test(text) || facts.test(text);

/** Every text of the object, those of functions for sample values. */
function flat(words: object, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(words)) {
    const at = `${path}/${name}`;
    if (typeof value === "string") found.set(at, value);
    else if (typeof value === "function")
      found.set(at, String(value("2", { before: 1, after: 3 })));
    else for (const [below, text] of flat(value, at)) found.set(below, text);
  }
  return found;
}

/** Texts that only pass on what they are given: a language may have marks of its own between. */
const PASSED_ON = ["/step/gatewaySays", "/cancelled/why", "/left/sender", "/alert/subject"];

describe("a language", () => {
  test.each([
    ["fr", en, fr],
    ["fr", enLetters, frLetters],
    ["sw", en, sw],
    ["sw", enLetters, swLetters],
  ])("%s says in its own words what English says", (_name, english, other) => {
    const [theirs, ours] = [flat(other), flat(english)];

    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    const equal = [...theirs].filter(
      ([at, text]) => ours.get(at) === text && /\p{L}{2}/u.test(text) && !same.has(text),
    );
    expect(equal.map(([at]) => at).filter((at) => !PASSED_ON.includes(at))).toEqual([]);
  });

  test.each([
    [
      "French",
      fr,
      [
        "Composez le *170# et suivez les instructions.",
        "Composez le *170# et suivez les instructions, puis saisissez ici le code obtenu.",
        "Payez sur le compte suivant.",
      ],
    ],
    [
      "Swahili",
      sw,
      [
        "Piga *170# na ufuate maelekezo.",
        "Piga *170# na ufuate maelekezo, kisha andika hapa msimbo utakaopata.",
        "Lipa kwa akaunti ifuatayo.",
      ],
    ],
  ])("%s says what gateways say in English, with what is to be dialed", (_name, words, said) => {
    const { gatewaySays } = words.step;
    const plain = { text: "Dial *170# and follow the menu.", ussd: "*170#", hasDetails: false };

    const dial = gatewaySays({ ...plain, type: "dial_ussd" });
    const approve = gatewaySays({ ...plain, type: "approve_on_phone" });
    const code = gatewaySays({ ...plain, type: "otp" });
    const pay = gatewaySays({ ...plain, type: "pay_to_account", hasDetails: true });
    const unknown = gatewaySays({ ...plain, type: "pay_to_account" });

    expect([dial, code, pay, unknown]).toEqual([...said, plain.text]);
    expect(approve).toBe(dial);
  });

  test("French has an ordinal number for the first of a month", () => {
    const days = ["1 déc. 2026", "11 déc. 2026"].map(fr.status.sentOn);

    expect(days).toEqual(["Expédié le 1er déc. 2026", "Expédié le 11 déc. 2026"]);
  });

  test.each([
    ["fr", frLetters],
    ["sw", swLetters],
  ])("%s tells every reason of a cancellation", (_name, letters) => {
    const told = cancelReasons.map((reason) => letters.cancelled.why(reason));

    const english = cancelReasons.map((reason) => enLetters.cancelled.why(reason));
    expect(told.filter((text) => english.includes(text))).toEqual([]);
    expect(told.every((text) => text.endsWith("."))).toBe(true);
  });

  test("that lacks a text does not compile", () => {
    const { questions: _questions, ...pages } = fr;
    const { see: _see, ...letters } = frLetters;
    // @ts-expect-error the heading of the contact is missing
    const incomplete: Words = pages;
    // @ts-expect-error the link to the order is missing
    const unfinished: EmailWords = letters;
    expect([incomplete, unfinished].length).toBe(2);
  });

  test("French keeps its spaces before : ; ? and ! from breaking, and writes its apostrophes", () => {
    const texts = [...flat(fr), ...flat(frLetters)].filter(([at]) => at !== "/colon");

    const wrong = texts.filter(([, text]) => /(?<!\u00a0)[:;?!]|'|\s»|«\s/u.test(text));

    expect(wrong.map(([at]) => at)).toEqual([]);
  });

  test.each([
    ["fr-CI", "fr", "fr-CI"],
    ["sw-TZ", "sw", "sw-TZ"],
    ["sw", "sw", "sw"],
    ["en-GH", "en", "en-GH"],
    ["de-DE", "en", "en"],
    [null, "en", "en"],
  ] as const)("of the locale %s is %s, and its tag %s", (locale, language, tag) => {
    expect(languageOf(locale)).toBe(language);
    expect(tagOf(language, locale)).toBe(tag);
  });
});

interface Read {
  readonly pages: ReadonlyMap<string, { readonly html: string; readonly headers: Headers }>;
  readonly emails: readonly EmailContent[];
  readonly message: string;
}

describe("the pages and emails of a shop", () => {
  let every: EveryPage;
  const read = new Map<string, Read>();

  beforeAll(async () => {
    every = await openEveryPage();
    for (const locale of ["en-GB", "fr-CI", "sw-KE"]) {
      await every.shop.put("/v2/store", { locale });
      const pages = new Map<string, { html: string; headers: Headers }>();
      for (const [kind, url] of Object.entries(every.urls)) {
        const answer = await fetch(url, { headers: { Accept: "text/html" } });
        pages.set(kind, { html: withoutStyle(await answer.text()), headers: answer.headers });
      }
      read.set(locale, { pages, ...(await every.emails()) });
    }
  });
  afterAll(() => every[Symbol.asyncDispose]());

  const inLocale = (locale: string): Read => {
    const found = read.get(locale);
    if (found === undefined) throw new Error(`Nothing was read in ${locale}.`);
    return found;
  };
  const saidIn = ({ pages, emails }: Read) => [
    ...[...pages].filter(([kind]) => kind !== "hosted").map(([, { html }]) => html),
    ...emails.map(({ html }) => withoutStyle(html)),
  ];

  test.each(["fr-CI", "sw-KE"])("say nothing in English where the locale is %s", (locale) => {
    const english = new Set(saidIn(inLocale("en-GB")).flatMap(textsOf));

    const left = saidIn(inLocale(locale))
      .flatMap(textsOf)
      .filter((text) => english.has(text));

    expect([...new Set(left)].filter((text) => !isOfTheShop(text))).toEqual([]);
  });

  test.each(["fr-CI", "sw-KE"])("say in their heads that they are of %s", (locale) => {
    const { pages, emails } = inLocale(locale);

    for (const [kind, { html, headers }] of pages) {
      const tag = kind === "hosted" ? "en" : locale;
      expect([kind, headers.get("content-language")]).toEqual([kind, tag]);
      expect(html).toContain(`<html lang="${tag}">`);
    }
    for (const { html, language } of emails) {
      expect(language).toBe(locale);
      expect(html).toContain(`<html lang="${locale}">`);
    }
  });

  test.each<[kind: string, locale: string, ...sentences: string[]]>([
    ["byHand", "fr-CI", "Commande n°\u00a0", "45,00\u00a0$US", "Virement bancaire"],
    ["codeAsked", "fr-CI", "Saisissez le code que vous avez reçu.", "Valider le code"],
    ["paid", "fr-CI", "1 expédié · 1 annulé", "5 janv. 2026", "Suivre le colis avec DHL"],
    ["cancelled", "fr-CI", "Annulée", "Adresse de livraison"],
    ["changed", "fr-CI", "13,50\u00a0$US au lieu de 12,50\u00a0$US", "dont VAT 15\u00a0%\u00a0: "],
    ["toChoose", "fr-CI", "Livraison (Ghana) ou retrait", "1 à 2 jours"],
    ["nowhere", "fr-CI", "à cette destination\u00a0: Allemagne."],
    ["returned", "fr-CI", "Pas encore confirmé", "n°\u00a01004", "45,00\u00a0$US"],
    ["unsubscribe", "fr-CI", "Ne plus recevoir d’offres\u00a0?", "Se désabonner"],
    ["invalid", "fr-CI", "Page introuvable · Akwaaba", "Ce lien n’est pas valable."],
    ["missing", "fr-CI", "Il n’y a pas de page à cette adresse."],
    ["byHand", "sw-KE", "Agizo #", "Bado halijalipwa", "Uhamisho wa benki"],
    ["toApprove", "sw-KE", "Idhinisha malipo kwenye simu yako."],
    ["changed", "sw-KE", "bei sasa ni", "Usafirishaji hadi Ghana"],
    ["nowhere", "sw-KE", "hadi Ujerumani."],
  ])("such as %s read in %s", (kind, locale, ...sentences) => {
    const html = inLocale(locale).pages.get(kind)?.html ?? "";

    expect(sentences.filter((sentence) => !html.includes(sentence))).toEqual([]);
  });

  test("such as a receipt read in French", () => {
    const [placed, receipt] = inLocale("fr-CI").emails;

    expect(placed?.text).toContain(
      "Virement bancaire\u00a0: La boutique vous indiquera où envoyer",
    );
    expect(receipt?.subject).toBe("Paiement reçu pour la commande n°\u00a01007");
    expect(receipt?.text).toStartWith("Bonjour Ada,\n\nMerci. Votre paiement est bien arrivé.");
    expect(receipt?.text).toContain("Total\u00a0: 45,00\u00a0$US");
  });

  test.each(["fr-CI", "sw-KE"])("have a code in %s that fits one short message", (locale) => {
    const { message } = inLocale(locale);

    expect(message).not.toContain("your code");
    // The alphabet of GSM 03.38, as far as these languages need it.
    expect(message).toMatch(/^[ -_a-zàéèù]{1,160}$/);
  });
});
