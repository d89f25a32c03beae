// The words of all pages for customers, in Swahili as it is written in Kenya and Tanzania.

import { payerWords } from "#payments/attempts/payer-words.ts";
import { pluralOf } from "#shop/store/branding.ts";

import type { Words } from "./en.ts";

const plural = pluralOf("sw");
const own = payerWords.sw;

/** The noun stands before its number, and is the same for one and for many. */
const inDays = (count: number) => `siku ${count}`;

export const sw: Words = {
  colon: ":",
  percent: (percent) => `${percent}%`,
  number: (number) => `#${number}`,
  order: (number) => `Agizo #${number}`,
  amounts: "Kiasi",
  item: "Bidhaa",
  yourOrder: "Agizo lako",
  testMode: "Hali ya majaribio: hakuna pesa halisi",
  skip: "Ruka hadi yaliyomo",
  questions: "Una swali?",
  visit: (shop) => `Endelea hadi ${shop}`,
  methods: {
    labels: {
      mobile_money: "Pesa za simu",
      card: "Kadi",
      gateway: "Malipo mtandaoni",
      cash_on_delivery: "Malipo wakati wa kupokea",
      bank_transfer: "Uhamisho wa benki",
      cash: "Pesa taslimu",
    },
  },
  thanks: {
    prepared: "Asante kwa agizo lako. Duka linaliandaa.",
    partlySent: "Asante kwa agizo lako. Sehemu yake imetumwa, na iliyobaki itafuata.",
    sent: "Asante kwa agizo lako. Kila kitu kimetumwa au kimekabidhiwa.",
    again: "Hifadhi kiungo cha ukurasa huu ili ufuatilie agizo lako.",
  },
  cart: {
    heading: "Kikapu chako",
    undelivered: "Kikapu chako, bila usafirishaji",
    empty: "Kikapu hiki ni kitupu.",
    nothingLeft:
      "Hakuna bidhaa katika kikapu hiki inayoweza kuagizwa kwa sasa. Tafadhali wasiliana na duka.",
    only: (units, name) =>
      `${name}: ni ${units} tu ${plural(units, "inayoweza", "zinazoweza")} kuagizwa kwa sasa.`,
    soldOut: (name) => `${name}: bidhaa hii imeisha.`,
    notInCurrency: (name, currency) => `${name}: bidhaa hii haiuzwi tena kwa ${currency}.`,
    tooMuch: (name) => `${name}: bei inazidi kiwango cha juu cha agizo moja.`,
    notForSale: (name) => `${name}: bidhaa hii haiuzwi tena.`,
    nowCosts: (name, { before, after }) => `${name}: bei sasa ni ${after} badala ya ${before}.`,
    again: (name) => `${name}: bidhaa hii inaweza kuagizwa tena.`,
    goesOnWithout: (lines) =>
      `Agizo lako linaendelea bila bidhaa ${plural(lines, "hiyo", "hizo")}.`,
    codeGone: (code) => `Msimbo ${code} hautumiki tena.`,
    leftOut: "Imeondolewa",
  },
  bill: {
    cancelled: (number) => `Agizo #${number} limeghairiwa`,
    paid: (number) => `Agizo #${number} limelipwa`,
    noWayToPay: "Duka hili haliwezi kupokea malipo hapa kwa sasa. Tafadhali wasiliana na duka.",
    tooLate: "Haliwezi kulipiwa tena.",
    beingChecked: "Malipo yako yanakaguliwa. Huhitaji kufanya chochote.",
  },
  sums: {
    subtotal: "Jumla ndogo",
    discount: "Punguzo",
    shipping: "Gharama ya usafirishaji",
    total: "Jumla",
    refunded: "Zimerejeshwa",
    undelivered: "Jumla bila usafirishaji",
    paid: "Imelipwa",
    toPay: "Kiasi cha kulipa",
    includes: (tax, amount) => `ikijumuisha ${tax}: ${amount}`,
  },
  ways: {
    legend: "Ungependa kulipa vipi?",
    choose: "Tafadhali chagua njia ya kulipa.",
    another: "Lipa kwa njia nyingine",
    placeOrder: "Weka agizo",
    continue: "Endelea kulipa",
    deposit: (amount) => `Lipa malipo ya awali tu ya ${amount} sasa`,
    byHand: "Utaona mahali pa kulipa katika hatua inayofuata.",
    onPhone: "Utaidhinisha malipo kwenye simu yako.",
    onPage: "Utalipa kwenye ukurasa salama, kisha utarudi hapa.",
    phone: "Nambari ya simu",
    phoneAbroad: "Nambari ya simu, pamoja na msimbo wa nchi",
    noPhone: (example) =>
      `Tafadhali andika nambari ya simu pamoja na msimbo wa nchi, kwa mfano ${example}.`,
    network: "Mtandao",
    chooseNetwork: "Chagua mtandao wako",
    code: "Msimbo",
    sendCode: "Thibitisha msimbo",
    approved: "Nimeidhinisha malipo",
  },
  step: {
    gatewaySays: ({ type, text, ussd, hasDetails }) => {
      const dial = ussd === null ? null : `Piga ${ussd} na ufuate maelekezo`;
      switch (type) {
        case "otp":
          return dial === null ? own.enterCode : `${dial}, kisha andika hapa msimbo utakaopata.`;
        case "approve_on_phone":
          return ussd === null ? own.approve : own.dial(ussd);
        case "dial_ussd":
          return ussd === null ? text : own.dial(ussd);
        case "pay_to_account":
          return hasDetails ? "Lipa kwa akaunti ifuatayo." : text;
        default:
          return text;
      }
    },
    detail: (label) => (label === "Account" ? "Akaunti" : label),
    part: (amount) => `Kiasi cha malipo haya ni ${amount}.`,
    giveNumber: (number) => `Taja nambari ya agizo #${number} unapolipa.`,
    confirms: "Duka litathibitisha malipo yako yakifika.",
    shopHasIt: "Duka limepokea agizo lako.",
    keptUntil: (time) => `Duka linakuwekea agizo lako hadi ${time}.`,
    depositBefore: (amount) =>
      `Duka linaomba malipo ya awali ya ${amount} kabla ya usafirishaji: tafadhali yalipe kwa njia nyingine.`,
    depositEnough: (amount) =>
      `Malipo ya awali ya ${amount} yanatosha ili duka likuwekee agizo lako.`,
  },
  details: {
    heading: "Maelezo yako",
    name: "Jina",
    email: "Barua pepe",
    either: "Barua pepe au nambari ya simu inatosha.",
    continue: "Endelea",
    noName: "Tafadhali andika jina lako.",
    noEmail: "Tafadhali andika barua pepe kamili.",
    noContact: "Tafadhali andika barua pepe au nambari ya simu.",
    incomplete: "Tafadhali andika kwanza kinachokosekana.",
  },
  delivery: {
    change: "Badilisha usafirishaji",
    showTotal: "Onyesha jumla mpya",
    continue: "Endelea",
    collect: "Chukua agizo lako",
    how: "Ungependa kupata agizo lako vipi?",
    to: (country) => `Usafirishaji hadi ${country}`,
    toOrCollect: (country) => `Usafirishaji hadi ${country}, au lichukue mwenyewe`,
    collectAt: (place) => `Lichukue hapa: ${place}`,
    free: "Bila malipo",
    haveIt: "Letewa agizo lako",
    where: "Agizo lipelekwe wapi?",
    another: "Peleka kwa anwani nyingine",
    street: "Mtaa na nambari, au jinsi ya kupafikia",
    postalCode: "Msimbo wa posta (si lazima)",
    town: "Mji",
    region: "Mkoa au kaunti (si lazima)",
    country: "Nchi",
    chooseCountry: "Chagua nchi",
    showOptions: "Onyesha njia za usafirishaji",
    noCountry: "Tafadhali chagua nchi.",
    noStreet: "Tafadhali andika mtaa na mji.",
    gone: "Njia ya usafirishaji iliyochaguliwa haipo tena. Tafadhali chagua nyingine.",
    choose: "Tafadhali chagua jinsi ya kupata agizo lako.",
    notTo: (country) => `Duka halisafirishi kikapu hiki hadi ${country}.`,
    collectInstead: "Unaweza kuchukua bidhaa mwenyewe, au kuandika anwani nyingine.",
    askShop: "Tafadhali andika anwani nyingine, au wasiliana na duka.",
    sameDay: "Siku hiyo hiyo",
    inDays: (count) => `Siku ${count}`,
    atLeast: (days) => `Angalau ${inDays(days)}`,
    upTo: (days) => `Hadi ${inDays(days)}`,
    between: (least, most) => `Siku ${least} hadi ${most}`,
  },
  status: {
    cancelled: "Limeghairiwa",
    unpaidInTime: "Halikulipwa kwa wakati. Huhitaji tena kulilipia.",
    refunded: "Pesa zimerejeshwa",
    youAreRefunded: "Umerejeshewa pesa zako.",
    refundIsDue: "Utarejeshewa pesa zako.",
    refundComes: "Pesa zako zinarejeshwa.",
    sent: "Limetumwa",
    partlySent: "Sehemu imetumwa",
    notConfirmed: "Bado halijathibitishwa",
    notPaid: "Bado halijalipwa",
    prepared: "Linaandaliwa",
    progress: "Hatua za agizo",
    ordered: "Limeagizwa",
    paid: "Limelipwa",
    notYet: "bado",
    units: {
      sent: (units) => `${units} ${plural(units, "imetumwa", "zimetumwa")}`,
      cancelled: (units) => `${units} ${plural(units, "imeghairiwa", "zimeghairiwa")}`,
      returned: (units) => `${units} ${plural(units, "imerudishwa", "zimerudishwa")}`,
    },
    credited: "Zilizoghairiwa au kurudishwa",
    kept: "Kilichobaki na duka",
    waived: "Kilichosamehewa na duka",
    refundDue: "Pesa zitakazorejeshwa",
    refundOnWay: "Pesa zinarejeshwa",
    sentOn: (day) => `Imetumwa ${day}`,
    track: "Fuatilia mzigo",
    trackWith: (carrier) => `Fuatilia mzigo kwa ${carrier}`,
    deliveryAddress: "Anwani ya usafirishaji",
    billingAddress: "Anwani ya bili",
    contact: "Mawasiliano",
    hidden:
      "Anwani na mawasiliano yako hayaonyeshwi tena, kwa sababu agizo lako halijabadilika kwa siku 30. Duka bado linayo.",
  },
  returned: {
    order: "Agizo",
    reference: "Kumbukumbu",
    back: "Rudi kwenye malipo",
    again: "Angalia tena",
    states: {
      paid: { heading: "Malipo yamepokelewa", sentence: "Asante. Malipo yako yamefika." },
      refunded: { heading: "Pesa zimerejeshwa", sentence: "Umerejeshewa malipo haya." },
      checked: {
        heading: "Malipo yanakaguliwa",
        sentence: "Duka linakagua malipo yako. Tafadhali usilipe tena.",
      },
      awaited: {
        heading: "Malipo bado hayajathibitishwa",
        sentence:
          "Bado hatujui kama malipo yako yamefanikiwa. Ikiwa umelipa, tafadhali usilipe tena, na uangalie tena baada ya dakika moja.",
      },
      unpaid: {
        heading: "Malipo hayakufanikiwa",
        sentence: "Malipo yako hayakufanikiwa. Unaweza kujaribu tena, au kulipa kwa njia nyingine.",
      },
    },
  },
  unsubscribe: {
    heading: "Hutaki ofa tena?",
    what: (shop) =>
      `${shop} inakutumia barua pepe kuhusu vikapu ulivyoacha na maagizo ambayo hujalipia, na huenda ikakutumia ofa, kwa sababu ulikubali. Bonyeza kitufe ili usizipokee tena.`,
    orders: "Bado utapokea barua pepe kuhusu unachoagiza.",
    act: "Jiondoe",
    done: "Umejiondoa",
    doneWhat: (shop) => `${shop} haikutumii ofa tena.`,
  },
  faults: {
    busy: "Maombi mengi mno yametoka hapa. Tafadhali jaribu tena baada ya dakika moja.",
    notFound: "Haipatikani",
    nothingHere: "Hakuna ukurasa kwenye anwani hii. Tafadhali hakikisha kuwa imekamilika.",
    linkInvalid: "Kiungo hiki si sahihi. Tafadhali hakikisha kuwa umekinakili chote.",
    gone: "Haipo tena",
    linkExpired: "Muda wa kiungo hiki umeisha. Tafadhali tembelea duka tena.",
    notAvailable: "Haipatikani kwa sasa",
    failed: "Hitilafu imetokea upande wetu. Tafadhali jaribu tena baadaye.",
  },
  refusals: {
    heldByOthers:
      "Wengine wameshikilia sehemu kubwa ya kilichobaki na bado hawajalipa. Tafadhali jaribu tena baadaye, au wasiliana na duka.",
    payFirst: "Una oda hapa ambazo bado hazijalipwa. Tafadhali lipa au ghairi moja kwanza.",
    tooMany: "Oda nyingi mno zimetoka hapa. Tafadhali jaribu tena baada ya dakika kumi.",
    notReady: "Malipo hayakuweza kuanza. Tafadhali jaribu tena baada ya dakika chache.",
    notPaid:
      "Malipo yako ya mwisho hayakufanikiwa. Unaweza kujaribu tena, au kulipa kwa njia nyingine.",
    changed: "Kiasi kimebadilika tangu ufungue ukurasa huu. Tafadhali kiangalie tena.",
    otherDelivery:
      "Usafirishaji uliochagua unabadilisha jumla. Tafadhali iangalie, kisha uendelee.",
    depositBefore:
      "Malipo ya awali yanahitajika kabla ya usafirishaji. Tafadhali chagua njia nyingine ya kuyalipa.",
    noCode: "Tafadhali andika msimbo kama ulivyoupokea: herufi na tarakimu pekee.",
    notHere: "Hili haliwezi kulipiwa hapa. Tafadhali wasiliana na duka.",
    tooOften:
      "Simu hii imeombwa kulipa mara nyingi mno katika saa moja iliyopita. Tafadhali jaribu tena baadaye, au lipa kwa njia nyingine.",
  },
};
