// The words of emails and messages to customers, in Swahili as it is written in Kenya and Tanzania.

import { isolated } from "#platform/html/html.ts";
import type { CancelReason } from "#sales/rows/order-life.ts";

import type { EmailWords } from "./en.ts";

const SORRY = "Samahani, tumelazimika kughairi agizo lako";

const reasons: Readonly<Record<CancelReason, string>> = {
  customer: "Kama ulivyoomba, tumeghairi agizo lako.",
  merchant: `${SORRY}.`,
  // The suspicion is not told.
  fraud: `${SORRY}.`,
  inventory: `${SORRY}, kwa sababu baadhi ya bidhaa zake zimeisha.`,
  payment_failed: "Malipo yako hayakufanikiwa, kwa hiyo tumeghairi agizo lako.",
  expired: "Agizo lako halikulipwa kwa wakati, kwa hiyo tumelighairi.",
  other: `${SORRY}.`,
};

export const sw: EmailWords = {
  hello: (name) => (name === null ? "Habari," : `Habari ${isolated(name)},`),
  yourOrder: "Agizo lako",
  orderOf: (order) => `Agizo lako #${order}`,
  see: "Tazama agizo lako",
  thanks: "Asante kwa agizo lako.",
  placed: {
    subject: (order) => `Tumepokea agizo lako #${order}`,
    prepared: "Tunaliandaa.",
    toPay: "Kiasi cha kulipa",
    payHere: "Ikiwa bado hujalipa, unaweza kulipa hapa.",
    pay: "Lipa sasa",
  },
  paid: {
    subject: (order) => `Tumepokea malipo ya agizo #${order}`,
    headline: "Malipo yamepokelewa",
    arrived: "Asante. Malipo yako yamefika.",
    free: {
      subject: (order) => `Agizo lako #${order} limethibitishwa`,
      headline: "Limethibitishwa",
    },
    nothingToPay: "Asante kwa agizo lako. Huhitaji kulipa chochote.",
    prepared: "Sasa tunaandaa agizo lako.",
    partlySent: "Sehemu ya agizo lako imetumwa, na iliyobaki itafuata.",
    receipt: (order) => `Risiti ya agizo #${order}`,
    see: "Tazama agizo na risiti yako",
    soldBy: (name) => `Muuzaji: ${isolated(name)}`,
    taxId: (id) => `Nambari ya mlipa kodi ${id}`,
    yourTaxId: (id) => `Nambari yako ya mlipa kodi ${id}`,
    reverseCharge: "Reverse charge: biashara yako yenyewe inalipa kodi.",
  },
  shipped: {
    all: {
      subject: (order) => `Agizo lako #${order} liko njiani`,
      headline: "Liko njiani",
      sentence: "Habari njema: tumetuma agizo lako.",
    },
    part: {
      subject: (order) => `Sehemu ya agizo lako #${order} iko njiani`,
      headline: "Sehemu iko njiani",
      sentence: "Habari njema: tumetuma sehemu ya agizo lako.",
    },
    last: {
      subject: (order) => `Sehemu iliyobaki ya agizo lako #${order} iko njiani`,
      headline: "Sehemu iliyobaki iko njiani",
      sentence: "Habari njema: tumetuma sehemu iliyobaki ya agizo lako.",
    },
    payOnDelivery: (amount) => `Tafadhali andaa ${amount}: utalipa agizo likifika.`,
    inParcel: "Katika mzigo huu",
    toCome: "Zitakazofuata",
    carrier: (name) => `Msafirishaji: ${isolated(name)}`,
    number: (number) => `Nambari ya ufuatiliaji: ${isolated(number)}`,
    track: (carrier) => (carrier === null ? "Fuatilia mzigo" : `Fuatilia mzigo kwa ${carrier}`),
  },
  cancelled: {
    subject: (order) => `Agizo lako #${order} limeghairiwa`,
    headline: "Limeghairiwa",
    why: (reason) => reasons[reason ?? "other"],
    nothingPaid: "Huhitaji tena kulilipia.",
    goesBack: (amount) => `Tunakurejeshea ${amount}.`,
    wentBack: (amount) => `Tumekurejeshea ${amount}.`,
    kept: (amount) => `Tunabaki na ${amount} ya pesa ulizolipa.`,
    visit: (shop) => `Tembelea ${shop}`,
  },
  refunded: {
    subject: (order) => `Marejesho ya pesa ya agizo #${order}`,
    headline: "Pesa zimerejeshwa",
    sentence: "Tumekurejeshea kiasi hiki.",
    tooMuch: "Ni pesa ulizolipa zaidi ya kiasi cha agizo lako.",
    sameWay: (method) =>
      `Pesa zinarudi kwa njia uliyotumia kulipa: ${isolated(method)}. Huenda zikachukua siku chache kukufikia.`,
    byHand: "Tunakulipa moja kwa moja.",
    about: "Marejesho haya ni ya",
    total: "Jumla ya agizo",
    soFar: "Zilizorejeshwa hadi sasa",
  },
  left: {
    cart: {
      subject: (shop) => `Kikapu chako katika ${shop}`,
      headline: "Kikapu chako bado kipo",
      left: "Uliacha bidhaa hizi kabla ya kulipa. Hazijatengwa kwa ajili yako, kwa hiyo wengine wanaweza kuzinunua kwanza.",
      back: "Rudi kwenye kikapu chako",
      heading: "Kikapu chako",
      why: (shop) => `${agreedTo(shop)} Hii ndiyo pekee kuhusu kikapu hiki.`,
    },
    order: {
      subject: (shop) => `Agizo lako katika ${shop} bado halijalipwa`,
      headline: "Agizo lako bado halijalipwa",
      left: "Uliagiza bidhaa hizi, na malipo yake bado hayajakamilika.",
      back: "Lipia agizo lako",
      heading: "Agizo lako",
      why: (shop) => `${agreedTo(shop)} Hii ndiyo pekee inayokuomba ulipie agizo hili.`,
    },
    sender: (name, address) => `${isolated(name)}, ${isolated(address)}`,
    unsubscribe: "Jiondoe",
  },
  contact: {
    questions: (ways) => `Una swali? Unaweza ${ways}.`,
    reply: "kujibu barua pepe hii",
    call: (phone) => `kupiga simu ${phone}`,
    or: " au ",
  },
  ownEmail: {
    subject: (shop) => `Je, hii ni anwani yako? ${shop}`,
    headline: "Je, hii ni anwani yako?",
    sentence: (shop) =>
      `Iliandikwa katika ${isolated(shop)}, kwa barua pepe kuhusu usalama wa duka.`,
    confirm: "Ndiyo, ni yangu",
    note: (hours) =>
      `Ifungue mahali ulipoingia, ndani ya saa ${hours}. Ikiwa hukuandika anwani hii, puuza barua pepe hii.`,
  },
  forgotten: {
    subject: (shop) => `Nywila mpya ya ${shop}`,
    headline: "Chagua nywila mpya",
    sentence: (shop) =>
      `Mtu ameomba nywila mpya kwa jina lako katika ${isolated(shop)}. Kiungo hiki kinakuwezesha kuchagua.`,
    choose: "Chagua nywila",
    note: (minutes) =>
      `Kinatumika mara moja, ndani ya dakika ${minutes}, na kinakutoa kwenye vifaa vyote. Ikiwa hukuomba, puuza barua pepe hii: hakuna kinachobadilika.`,
  },
  alert: {
    subject: (headline, shop) => `${headline}: ${shop}`,
    headlines: {
      device: "Kuingia kupya",
      failures: "Nywila nyingi zisizo sahihi",
      key: "Ufunguo mpya wa API",
      person: "Mabadiliko ya wanaoweza kuingia",
      exported: "Data ya wateja imetolewa",
      webhook: "Webhook zinaenda kwa seva mpya",
      setting: "Mpangilio wa usalama umebadilishwa",
    },
    acts: {
      signIn: (whom) => `${whom} ameingia kwa kifaa kisichojulikana.`,
      takeLink: (whom) => `${whom} amechagua nywila kwa kiungo.`,
      failSignIn: (whom) => `Nywila ya ${whom} imejaribiwa bila mafanikio mara 20 kwa siku moja.`,
      key: "Ufunguo wa API umetengenezwa au kubadilishwa.",
      changeRole: (whom) => `Jukumu la ${whom} limebadilishwa.`,
      removePerson: (whom) => `${whom} ameondolewa na hawezi kuingia tena.`,
      changePassword: (whom) => `${whom} ana nywila mpya.`,
      askForEmail: (whom) => `${whom} ameandika barua pepe ya tahadhari.`,
      changeEmail: (whom) => `${whom} ana barua pepe nyingine ya tahadhari.`,
      removeEmail: (whom) => `${whom} hapati tena tahadhari kwa barua pepe.`,
      addPasskey: (whom) => `Ufunguo wa siri (passkey) wa ${whom} umeongezwa.`,
      removePasskey: (whom) => `Ufunguo wa siri (passkey) wa ${whom} umeondolewa.`,
      exported: "Faili ya wateja au maagizo imetolewa dukani.",
      webhook: (host) => `Matukio yanatumwa kwa ${host}.`,
      setting: (name) => `Mpangilio ${name} umebadilishwa.`,
    },
    who: "Nani",
    when: "Lini",
    from: "Kutoka",
    unknown: "Haijulikani",
    terminal: "Terminali ya seva",
    program: (name) => `Ufunguo wa API ${isolated(name)}`,
    notMe: "Si mimi niliyefanya hivi",
    notMeNote: (name) =>
      `Ukurasa una kitufe kinachomwondoa ${name} kwenye vifaa vyote. Kinafanya kazi kwa saa 24; kuufungua hakubadilishi chochote.`,
    programNote:
      "Ikiwa hakuna yeyote kati yenu aliyefanya hivi, futa ufunguo kwenye dashibodi, chini ya Keys.",
    push: {
      order: (number) => `Agizo jipya ${number}`,
      paid: (number) => `Agizo ${number} limelipwa`,
      orders: (count) => `Maagizo mapya ${count}`,
      items: (count) => `Bidhaa ${count}`,
      payment: "Malipo ya kukaguliwa",
      dispute: "Malipo yanapingwa",
      refund: "Marejesho ya pesa yanakuhitaji",
      reviews: (count) => `Malipo au marejesho ${count} yanakuhitaji`,
      ofOrder: (number) => `Agizo ${number}`,
      low: "Bidhaa inakaribia kuisha",
      left: (name, units) => `${name}: zimebaki ${units}`,
      lows: (count) => `Bidhaa ${count} zinakaribia kuisha`,
      open: "Fungua",
      chosen: "Ulichagua kuambiwa haya, chini ya jina lako kwenye dashibodi.",
    },
    summary: {
      title: (day) => `Siku yako: ${day}`,
      taken: (amount) => `Mapato: ${amount}`,
      orders: (placed, paid) => `Maagizo ${placed}, yaliyolipwa ${paid}`,
      toPack: (count) => `Ya kufungasha: ${count}`,
      waiting: (count) => `Maagizo yanayosubiri malipo: ${count}`,
      low: (count) => `Bidhaa zinazokaribia kuisha: ${count}`,
      open: "Fungua duka",
    },
    test: { title: "Inafanya kazi", body: "Hivi ndivyo duka linavyokuambia." },
  },
  code: {
    message: (code, { shop, minutes }) =>
      `${code} ni msimbo wako wa ${shop}. Unatumika kwa dakika ${minutes}.`,
    subject: (shop) => `Msimbo wako wa ${shop}`,
    headline: "Msimbo wako",
    act: "Andika msimbo huu ili uingie:",
    note: (minutes) =>
      `Unatumika kwa dakika ${minutes}. Usimpe mtu yeyote. Ikiwa hukuuomba, puuza barua pepe hii.`,
  },
};

function agreedTo(shop: string): string {
  return `Umepokea barua pepe hii kwa sababu ulikubali kupokea ofa za ${isolated(shop)}.`;
}
