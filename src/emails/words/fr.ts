// The words of emails and messages to customers, in French as it is written in West Africa. A space that does not break
// (\u00a0) stands before : ; ? and !.

import { isolated } from "#platform/html/html.ts";
import type { CancelReason } from "#sales/rows/order-life.ts";

import type { EmailWords } from "./en.ts";

const SORRY = "Nous sommes désolés\u00a0: nous avons dû annuler votre commande";

const reasons: Readonly<Record<CancelReason, string>> = {
  customer: "Comme vous l’avez demandé, nous avons annulé votre commande.",
  merchant: `${SORRY}.`,
  // The suspicion is not told.
  fraud: `${SORRY}.`,
  inventory: `${SORRY}, car un de ses articles est épuisé.`,
  payment_failed: "Votre paiement n’a pas abouti, nous avons donc annulé votre commande.",
  expired: "Votre commande n’a pas été payée à temps, nous l’avons donc annulée.",
  other: `${SORRY}.`,
};

export const fr: EmailWords = {
  hello: (name) => (name === null ? "Bonjour," : `Bonjour ${isolated(name)},`),
  yourOrder: "Votre commande",
  orderOf: (order) => `Votre commande n°\u00a0${order}`,
  see: "Voir votre commande",
  thanks: "Merci pour votre commande.",
  placed: {
    subject: (order) => `Nous avons bien reçu votre commande n°\u00a0${order}`,
    prepared: "Nous la préparons.",
    toPay: "À payer",
    payHere: "Si vous n’avez pas encore payé, vous pouvez le faire ici.",
    pay: "Payer maintenant",
  },
  paid: {
    subject: (order) => `Paiement reçu pour la commande n°\u00a0${order}`,
    headline: "Paiement reçu",
    arrived: "Merci. Votre paiement est bien arrivé.",
    free: {
      subject: (order) => `Votre commande n°\u00a0${order} est confirmée`,
      headline: "Commande confirmée",
    },
    nothingToPay: "Merci pour votre commande. Vous n’avez rien à payer.",
    prepared: "Nous préparons maintenant votre commande.",
    partlySent: "Une partie de votre commande a été expédiée, le reste suivra.",
    receipt: (order) => `Reçu de la commande n°\u00a0${order}`,
    see: "Voir la commande et le reçu",
    soldBy: (name) => `Vendu par ${isolated(name)}`,
    taxId: (id) => `Numéro fiscal ${id}`,
    yourTaxId: (id) => `Votre numéro fiscal ${id}`,
    reverseCharge: "Autoliquidation\u00a0: la taxe est due par votre entreprise.",
  },
  shipped: {
    all: {
      subject: (order) => `Votre commande n°\u00a0${order} est en route`,
      headline: "En route",
      sentence: "Bonne nouvelle\u00a0: nous avons expédié votre commande.",
    },
    part: {
      subject: (order) => `Une partie de votre commande n°\u00a0${order} est en route`,
      headline: "Une partie est en route",
      sentence: "Bonne nouvelle\u00a0: nous avons expédié une partie de votre commande.",
    },
    last: {
      subject: (order) => `Le reste de votre commande n°\u00a0${order} est en route`,
      headline: "Le reste est en route",
      sentence: "Bonne nouvelle\u00a0: nous avons expédié le reste de votre commande.",
    },
    payOnDelivery: (amount) =>
      `Veuillez préparer ${amount}\u00a0: vous payez à la réception de votre commande.`,
    inParcel: "Dans ce colis",
    toCome: "Encore à venir",
    carrier: (name) => `Transporteur\u00a0: ${isolated(name)}`,
    number: (number) => `Numéro de suivi\u00a0: ${isolated(number)}`,
    track: (carrier) => (carrier === null ? "Suivre le colis" : `Suivre le colis avec ${carrier}`),
  },
  cancelled: {
    subject: (order) => `Votre commande n°\u00a0${order} a été annulée`,
    headline: "Commande annulée",
    why: (reason) => reasons[reason ?? "other"],
    nothingPaid: "Vous n’avez plus à la payer.",
    goesBack: (amount) => `Nous vous remboursons ${amount}.`,
    wentBack: (amount) => `Nous vous avons remboursé ${amount}.`,
    kept: (amount) => `Nous conservons ${amount} sur ce que vous avez payé.`,
    visit: (shop) => `Retourner chez ${shop}`,
  },
  refunded: {
    subject: (order) => `Votre remboursement pour la commande n°\u00a0${order}`,
    headline: "Remboursement effectué",
    sentence: "Nous vous avons remboursé ce montant.",
    tooMuch: "Vous l’aviez payé en plus du montant de votre commande.",
    sameWay: (method) =>
      `Il revient par le moyen de paiement que vous avez utilisé\u00a0: ${isolated(method)}. Il peut mettre quelques jours à vous parvenir.`,
    byHand: "Nous vous le versons directement.",
    about: "Ce remboursement concerne",
    total: "Total de la commande",
    soFar: "Remboursé à ce jour",
  },
  left: {
    cart: {
      subject: (shop) => `Votre panier chez ${shop}`,
      headline: "Votre panier vous attend",
      left: "Vous avez laissé ces articles au moment de payer. Ils ne sont pas réservés\u00a0: d’autres peuvent les acheter avant vous.",
      back: "Revenir à votre panier",
      heading: "Votre panier",
      why: (shop) => `${agreedTo(shop)} C’est le seul au sujet de ce panier.`,
    },
    order: {
      subject: (shop) => `Votre commande chez ${shop} n’est pas encore payée`,
      headline: "Votre commande n’est pas encore payée",
      left: "Vous avez commandé ces articles, et leur paiement n’est pas encore complet.",
      back: "Payer votre commande",
      heading: "Votre commande",
      why: (shop) => `${agreedTo(shop)} C’est le seul qui vous demande de payer cette commande.`,
    },
    sender: (name, address) => `${isolated(name)}, ${isolated(address)}`,
    unsubscribe: "Se désabonner",
  },
  contact: {
    questions: (ways) => `Une question\u00a0? Vous pouvez ${ways}.`,
    reply: "répondre à cet email",
    call: (phone) => `appeler le ${phone}`,
    or: " ou ",
  },
  ownEmail: {
    subject: (shop) => `Cette adresse est-elle la vôtre\u00a0? ${shop}`,
    headline: "Cette adresse est-elle la vôtre\u00a0?",
    sentence: (shop) =>
      `Elle a été saisie chez ${isolated(shop)}, pour les emails sur la sécurité de la boutique.`,
    confirm: "Oui, c’est la mienne",
    note: (hours) =>
      `Ouvrez-le là où vous êtes connecté, dans les ${hours}\u00a0heures. Si vous n’avez pas saisi cette adresse, vous pouvez ignorer cet email.`,
  },
  forgotten: {
    subject: (shop) => `Un nouveau mot de passe pour ${shop}`,
    headline: "Choisissez un nouveau mot de passe",
    sentence: (shop) =>
      `Quelqu’un a demandé un nouveau mot de passe pour votre nom chez ${isolated(shop)}. Ce lien vous permet d’en choisir un.`,
    choose: "Choisir un mot de passe",
    note: (minutes) =>
      `Il fonctionne une fois, pendant ${minutes}\u00a0minutes, et vous déconnecte partout. Si vous ne l’avez pas demandé, ignorez cet email\u00a0: rien ne change.`,
  },
  alert: {
    subject: (headline, shop) => `${headline}\u00a0: ${shop}`,
    headlines: {
      device: "Nouvelle connexion",
      failures: "Beaucoup de mots de passe erronés",
      key: "Nouvelle clé d’API",
      person: "Un changement parmi ceux qui ont accès",
      exported: "Des données de clients ont été exportées",
      webhook: "Des webhooks sont envoyés à un nouvel hôte",
      setting: "Un réglage de sécurité a été modifié",
    },
    acts: {
      signIn: (whom) => `Connexion de ${whom} depuis un appareil inconnu.`,
      takeLink: (whom) => `${whom} a choisi un mot de passe avec un lien.`,
      failSignIn: (whom) =>
        `Le mot de passe de ${whom} a été essayé en vain 20\u00a0fois en un jour.`,
      key: "Une clé d’API a été créée ou remplacée.",
      changeRole: (whom) => `Le rôle de ${whom} a été modifié.`,
      removePerson: (whom) => `L’accès de ${whom} a été retiré.`,
      changePassword: (whom) => `${whom} a un nouveau mot de passe.`,
      askForEmail: (whom) => `${whom} a saisi un email pour les alertes.`,
      changeEmail: (whom) => `${whom} a un autre email pour les alertes.`,
      removeEmail: (whom) => `${whom} ne reçoit plus d’alertes par email.`,
      addPasskey: (whom) => `Une clé d’accès de ${whom} a été ajoutée.`,
      removePasskey: (whom) => `Une clé d’accès de ${whom} a été supprimée.`,
      exported: "Un fichier de clients ou de commandes a été exporté de la boutique.",
      webhook: (host) => `Des événements sont envoyés à ${host}.`,
      setting: (name) => `Le réglage ${name} a été modifié.`,
    },
    who: "Qui",
    when: "Quand",
    from: "D’où",
    unknown: "Inconnu",
    terminal: "Le terminal du serveur",
    program: (name) => `La clé d’API ${isolated(name)}`,
    notMe: "Ce n’était pas moi",
    notMeNote: (name) =>
      `La page a un bouton qui déconnecte ${name} partout. Il fonctionne pendant 24\u00a0heures\u00a0; ouvrir la page ne change rien.`,
    programNote:
      "Si cela ne vient de personne parmi vous, révoquez la clé dans le tableau de bord, sous Keys.",
    push: {
      order: (number) => `Nouvelle commande ${number}`,
      paid: (number) => `La commande ${number} est payée`,
      orders: (count) => `${count}\u00a0nouvelles commandes`,
      items: (count) => (count <= 1 ? `${count}\u00a0article` : `${count}\u00a0articles`),
      payment: "Un paiement à vérifier",
      dispute: "Un paiement est contesté",
      refund: "Un remboursement a besoin de vous",
      reviews: (count) => `${count}\u00a0paiements ou remboursements ont besoin de vous`,
      ofOrder: (number) => `Commande ${number}`,
      low: "Stock bas",
      left: (name, units) => `${name}\u00a0: il en reste ${units}`,
      lows: (count) => `Stock bas pour ${count}\u00a0produits`,
      open: "Ouvrir",
      chosen: "Vous avez choisi ces messages, sous votre nom dans le tableau de bord.",
    },
    summary: {
      title: (day) => `Votre journée\u00a0: ${day}`,
      taken: (amount) => `${amount} encaissés`,
      orders: (placed, paid) => `Commandes\u00a0: ${placed} passées, ${paid} payées`,
      toPack: (count) => `À préparer\u00a0: ${count}`,
      waiting: (count) => `Commandes en attente de paiement\u00a0: ${count}`,
      low: (count) => `Produits en stock bas\u00a0: ${count}`,
      open: "Ouvrir la boutique",
    },
    test: { title: "Ça marche", body: "C’est ainsi que la boutique vous prévient." },
  },
  code: {
    message: (code, { shop, minutes }) =>
      `${code} est votre code pour ${shop}. Il est valable ${minutes} minutes.`,
    subject: (shop) => `Votre code pour ${shop}`,
    headline: "Votre code",
    act: "Saisissez ce code pour vous connecter\u00a0:",
    note: (minutes) =>
      `Il est valable ${minutes} minutes. Ne le communiquez à personne. Si vous ne l’avez pas demandé, vous pouvez ignorer cet email.`,
  },
};

function agreedTo(shop: string): string {
  return `Vous recevez cet email parce que vous avez accepté de recevoir des offres de ${isolated(shop)} par email.`;
}
