// The words of all pages for customers, in French as it is written in West Africa. A space that does not break (\u00a0)
// stands before : ; ? and !.

import { payerWords } from "#payments/attempts/payer-words.ts";
import { pluralOf } from "#shop/store/branding.ts";

import type { Words } from "./en.ts";

const plural = pluralOf("fr");
const own = payerWords.fr;
/** The first of a month is an ordinal number, which CLDR does not write. */
const inSentence = (day: string) => day.replace(/^1(?=\s)/u, "1er");
const inDays = (count: number) => `${count} ${plural(count, "jour", "jours")}`;

export const fr: Words = {
  colon: "\u00a0:",
  percent: (percent) => `${String(percent).replace(".", ",")}\u00a0%`,
  number: (number) => `n°\u00a0${number}`,
  order: (number) => `Commande n°\u00a0${number}`,
  amounts: "Montants",
  item: "Un article",
  yourOrder: "Votre commande",
  testMode: "Mode test\u00a0: aucun argent n’est débité",
  skip: "Aller au contenu",
  questions: "Une question\u00a0?",
  visit: (shop) => `Continuer vers ${shop}`,
  methods: {
    labels: {
      mobile_money: "Mobile Money",
      card: "Carte bancaire",
      gateway: "Paiement en ligne",
      cash_on_delivery: "Paiement à la livraison",
      bank_transfer: "Virement bancaire",
      cash: "Espèces",
    },
  },
  thanks: {
    prepared: "Merci pour votre commande. La boutique la prépare.",
    partlySent: "Merci pour votre commande. Une partie a été expédiée, le reste suivra.",
    sent: "Merci pour votre commande. Tout a été expédié ou remis.",
    again: "Conservez le lien de cette page pour suivre votre commande.",
  },
  cart: {
    heading: "Votre panier",
    undelivered: "Votre panier, hors livraison",
    empty: "Ce panier est vide.",
    nothingLeft:
      "Aucun article de ce panier ne peut être commandé pour le moment. Veuillez contacter la boutique.",
    only: (units, name) =>
      `${name}\u00a0: seulement ${units} ${plural(units, "disponible", "disponibles")} pour le moment.`,
    soldOut: (name) => `${name}\u00a0: cet article est épuisé.`,
    notInCurrency: (name, currency) =>
      `${name}\u00a0: cet article n’est plus vendu en ${currency}.`,
    tooMuch: (name) => `${name}\u00a0: le montant dépasse le maximum d’une commande.`,
    notForSale: (name) => `${name}\u00a0: cet article n’est plus en vente.`,
    nowCosts: (name, { before, after }) =>
      `${name}\u00a0: le prix est maintenant de ${after} au lieu de ${before}.`,
    again: (name) => `${name}\u00a0: cet article peut de nouveau être commandé.`,
    goesOnWithout: (lines) =>
      `Votre commande continue sans ${plural(lines, "cet article", "ces articles")}.`,
    codeGone: (code) => `Le code ${code} n’est plus valable.`,
    leftOut: "Retiré",
  },
  bill: {
    cancelled: (number) => `La commande n°\u00a0${number} a été annulée`,
    paid: (number) => `La commande n°\u00a0${number} est payée`,
    noWayToPay:
      "Cette boutique ne peut pas recevoir de paiement ici pour le moment. Veuillez contacter la boutique.",
    tooLate: "Elle ne peut plus être payée.",
    beingChecked: "Votre paiement est en cours de vérification. Vous n’avez rien à faire.",
  },
  sums: {
    subtotal: "Sous-total",
    discount: "Remise",
    shipping: "Frais de livraison",
    total: "Total",
    refunded: "Remboursé",
    undelivered: "Total hors livraison",
    paid: "Payé",
    toPay: "À payer",
    includes: (tax, amount) => `dont ${tax}\u00a0: ${amount}`,
  },
  ways: {
    legend: "Comment souhaitez-vous payer\u00a0?",
    choose: "Veuillez choisir votre moyen de paiement.",
    another: "Payer autrement",
    placeOrder: "Passer la commande",
    continue: "Continuer vers le paiement",
    deposit: (amount) => `Payer seulement l’acompte de ${amount} maintenant`,
    byHand: "Vous verrez où payer à l’étape suivante.",
    onPhone: "Vous validez le paiement sur votre téléphone.",
    onPage: "Vous payez sur une page sécurisée, puis vous revenez ici.",
    phone: "Numéro de téléphone",
    phoneAbroad: "Numéro de téléphone, avec l’indicatif du pays",
    noPhone: (example) =>
      `Veuillez saisir le numéro de téléphone avec l’indicatif du pays, par exemple ${example}.`,
    network: "Opérateur",
    chooseNetwork: "Choisissez votre opérateur",
    code: "Code",
    sendCode: "Valider le code",
    approved: "J’ai validé le paiement",
  },
  step: {
    gatewaySays: ({ type, text, ussd, hasDetails }) => {
      const dial = ussd === null ? null : `Composez le ${ussd} et suivez les instructions`;
      switch (type) {
        case "otp":
          return dial === null ? own.enterCode : `${dial}, puis saisissez ici le code obtenu.`;
        case "approve_on_phone":
          return ussd === null ? own.approve : own.dial(ussd);
        case "dial_ussd":
          return ussd === null ? text : own.dial(ussd);
        case "pay_to_account":
          return hasDetails ? "Payez sur le compte suivant." : text;
        default:
          return text;
      }
    },
    detail: (label) => (label === "Account" ? "Compte" : label),
    part: (amount) => `Le montant de ce paiement est de ${amount}.`,
    giveNumber: (number) => `Indiquez le numéro de commande ${number} avec votre paiement.`,
    confirms: "La boutique confirmera votre paiement dès sa réception.",
    shopHasIt: "La boutique a bien reçu votre commande.",
    keptUntil: (time) => `La boutique garde votre commande jusqu’au ${inSentence(time)}.`,
    depositBefore: (amount) =>
      `La boutique demande un acompte de ${amount} avant la livraison\u00a0: veuillez le payer autrement.`,
    depositEnough: (amount) =>
      `Un acompte de ${amount} suffit pour que la boutique garde votre commande.`,
  },
  details: {
    heading: "Vos coordonnées",
    name: "Nom",
    email: "Adresse e-mail",
    either: "Une adresse e-mail ou un numéro de téléphone suffit.",
    continue: "Continuer",
    noName: "Veuillez saisir votre nom.",
    noEmail: "Veuillez saisir une adresse e-mail complète.",
    noContact: "Veuillez saisir une adresse e-mail ou un numéro de téléphone.",
    incomplete: "Veuillez d’abord saisir ce qui manque.",
  },
  delivery: {
    change: "Modifier la livraison",
    showTotal: "Afficher le nouveau total",
    continue: "Continuer",
    collect: "Retrait de votre commande",
    how: "Comment souhaitez-vous recevoir votre commande\u00a0?",
    to: (country) => `Livraison\u00a0: ${country}`,
    toOrCollect: (country) => `Livraison (${country}) ou retrait`,
    collectAt: (place) => `À retirer\u00a0: ${place}`,
    free: "Gratuit",
    haveIt: "Se faire livrer",
    where: "À quelle adresse livrer\u00a0?",
    another: "Livrer à une autre adresse",
    street: "Rue et numéro, ou comment vous trouver",
    postalCode: "Code postal (facultatif)",
    town: "Ville",
    region: "Région (facultatif)",
    country: "Pays",
    chooseCountry: "Choisissez le pays",
    showOptions: "Afficher les modes de livraison",
    noCountry: "Veuillez choisir le pays.",
    noStreet: "Veuillez saisir la rue et la ville.",
    gone: "Le mode de livraison choisi n’est plus proposé. Veuillez en choisir un autre.",
    choose: "Veuillez choisir comment recevoir votre commande.",
    notTo: (country) => `La boutique ne livre pas ce panier à cette destination\u00a0: ${country}.`,
    collectInstead: "Vous pouvez le retirer ou indiquer une autre adresse.",
    askShop: "Veuillez indiquer une autre adresse ou contacter la boutique.",
    sameDay: "Le jour même",
    inDays,
    atLeast: (days) => `Au moins ${inDays(days)}`,
    upTo: (days) => `${inDays(days)} au maximum`,
    between: (least, most) => `${least} à ${inDays(most)}`,
  },
  status: {
    cancelled: "Annulée",
    unpaidInTime: "Elle n’a pas été payée à temps. Vous n’avez plus à la payer.",
    refunded: "Remboursée",
    youAreRefunded: "Votre remboursement a été effectué.",
    refundIsDue: "Un remboursement vous est dû.",
    refundComes: "Votre remboursement est en cours.",
    sent: "Expédiée",
    partlySent: "Expédiée en partie",
    notConfirmed: "Pas encore confirmée",
    notPaid: "Pas encore payée",
    prepared: "En préparation",
    progress: "Suivi",
    ordered: "Commandée",
    paid: "Payée",
    notYet: "pas encore",
    units: {
      sent: (units) => `${units} ${plural(units, "expédié", "expédiés")}`,
      cancelled: (units) => `${units} ${plural(units, "annulé", "annulés")}`,
      returned: (units) => `${units} ${plural(units, "retourné", "retournés")}`,
    },
    credited: "Annulé ou retourné",
    kept: "Retenu par la boutique",
    waived: "Remise accordée par la boutique",
    refundDue: "Remboursement dû",
    refundOnWay: "Remboursement en cours",
    sentOn: (day) => `Expédié le ${inSentence(day)}`,
    track: "Suivre le colis",
    trackWith: (carrier) => `Suivre le colis avec ${carrier}`,
    deliveryAddress: "Adresse de livraison",
    billingAddress: "Adresse de facturation",
    contact: "Vos coordonnées",
    hidden:
      "Votre adresse et vos coordonnées ne sont plus affichées, car votre commande n’a pas changé depuis 30 jours. La boutique les a toujours.",
  },
  returned: {
    order: "Commande",
    reference: "Référence",
    back: "Retour au paiement",
    again: "Vérifier à nouveau",
    states: {
      paid: { heading: "Paiement reçu", sentence: "Merci. Votre paiement est bien arrivé." },
      refunded: { heading: "Remboursé", sentence: "Ce paiement vous a été remboursé." },
      checked: {
        heading: "En cours de vérification",
        sentence: "La boutique vérifie votre paiement. Veuillez ne pas payer une deuxième fois.",
      },
      awaited: {
        heading: "Pas encore confirmé",
        sentence:
          "Nous ne savons pas encore si votre paiement a abouti. Si vous avez payé, veuillez ne pas payer une deuxième fois et vérifier à nouveau dans une minute.",
      },
      unpaid: {
        heading: "Non payé",
        sentence: "Votre paiement n’a pas abouti. Vous pouvez réessayer ou payer autrement.",
      },
    },
  },
  unsubscribe: {
    heading: "Ne plus recevoir d’offres\u00a0?",
    what: (shop) =>
      `Avec votre accord, ${shop} vous envoie des emails sur les paniers que vous avez laissés et les commandes que vous n’avez pas payées, et peut vous envoyer des offres. Appuyez sur le bouton pour ne plus en recevoir.`,
    orders: "Vous recevrez toujours les emails qui concernent vos commandes.",
    act: "Se désabonner",
    done: "Désabonnement confirmé",
    doneWhat: (shop) => `${shop} ne vous envoie plus d’offres.`,
  },
  faults: {
    busy: "Trop de demandes viennent d’ici. Veuillez réessayer dans une minute.",
    notFound: "Page introuvable",
    nothingHere: "Il n’y a pas de page à cette adresse. Veuillez vérifier qu’elle est complète.",
    linkInvalid: "Ce lien n’est pas valable. Veuillez vérifier que vous l’avez copié en entier.",
    gone: "Plus disponible",
    linkExpired: "Ce lien a expiré. Veuillez retourner à la boutique.",
    notAvailable: "Indisponible",
    failed: "Une erreur s’est produite de notre côté. Veuillez réessayer plus tard.",
  },
  refusals: {
    heldByOthers:
      "D’autres clients ont réservé presque tout ce qui reste et n’ont pas encore payé. Veuillez réessayer plus tard, ou contacter la boutique.",
    payFirst:
      "Vous avez déjà ici des commandes qui ne sont pas payées. Veuillez d’abord en payer ou en annuler une.",
    tooMany: "Trop de commandes viennent d’ici. Veuillez réessayer dans dix minutes.",
    notReady: "Le paiement n’a pas pu commencer. Veuillez réessayer dans quelques minutes.",
    notPaid: "Votre dernier paiement n’a pas abouti. Vous pouvez réessayer ou payer autrement.",
    changed:
      "Le montant a changé depuis que vous avez ouvert cette page. Veuillez le vérifier à nouveau.",
    otherDelivery:
      "La livraison que vous avez choisie change le total. Veuillez le vérifier, puis continuer.",
    depositBefore:
      "L’acompte est dû avant la livraison. Veuillez choisir un autre moyen de paiement.",
    noCode:
      "Veuillez saisir le code tel que vous l’avez reçu\u00a0: uniquement des lettres et des chiffres.",
    notHere: "Le paiement n’est pas possible ici. Veuillez contacter la boutique.",
    tooOften:
      "Ce téléphone a reçu trop de demandes de paiement au cours de la dernière heure. Veuillez réessayer plus tard ou payer autrement.",
  },
};
