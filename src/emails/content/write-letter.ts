// An email as HTML. Pure. Invariant: it loads nothing but the logo of the shop, runs no script, and reads well where
// pictures and the sheet of styles are left out.

import type { MailingStore } from "#emails/words/localize.ts";
import { oneLine } from "#kernel/typed-text.ts";
import { edgeOf, inkOn } from "#pay-page/frame/brand.ts";
import type { ShownLine } from "#pay-page/page-frame.ts";
import type { SumLine } from "#pay-page/sums.ts";
import { htmlDocument } from "#platform/html/html-document.ts";
import { type Attribute, attribute, type Html, html, isolated } from "#platform/html/html.ts";
import type { MailMessage } from "#platform/net/smtp.ts";
import { tagOf } from "#shop/store/branding.ts";

import { contactOf, type Part, type Sheet } from "./letter.ts";

// How emails look. Mail programs read the style of each element, and some nothing else; those that have a dark mode of
// their own and read the sheet take its colors.

/** Some programs forget the font in each cell of a table. */
const FONT = "font:16px/1.5 system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const INK = "color:#16181d";
const FAINT = "color:#565d6b";
const RULE = "1px solid #d9dce2";

const look = {
  ground: "margin:0;padding:0;background:#f4f5f7",
  page: "width:100%;background:#f4f5f7",
  column: "width:100%;max-width:600px",
  head: `padding:0 8px 16px;${FONT};font-weight:650;${INK};overflow-wrap:anywhere`,
  logo: "display:block;width:auto;height:40px;max-width:160px;margin-bottom:8px",
  sheet: `padding:28px 24px 16px;background:#ffffff;border-radius:10px;${FONT};${INK};overflow-wrap:anywhere`,
  headline: `margin:0 0 20px;font-size:26px;line-height:1.2;font-weight:700;${INK}`,
  paragraph: "margin:0 0 14px;white-space:pre-line",
  heading: `margin:28px 0 8px;font-size:15px;line-height:1.4;font-weight:650;${INK}`,
  amount: "margin:0 0 14px;font-size:30px;line-height:1.2;font-weight:700",
  note: `margin:6px 0 0;font-size:14px;${FAINT}`,
  action: "margin:22px 0",
  button:
    "display:inline-block;padding:12px 24px;border-radius:9px;border:1px solid;font-weight:650;text-decoration:none",
  link: `${INK};text-decoration:underline`,
  items: "margin:0 0 14px;padding:0 0 0 20px",
  table: "width:100%;border-collapse:collapse",
  name: `padding:10px 12px 10px 0;border-top:${RULE};${FONT};text-align:left;vertical-align:top;${INK}`,
  worth: `padding:10px 0;border-top:${RULE};${FONT};text-align:right;vertical-align:top;white-space:nowrap;${INK}`,
  remark: `font-size:14px;${FAINT}`,
  sums: `width:100%;border-collapse:collapse;margin:0 0 8px;border-top:${RULE}`,
  what: `padding:8px 12px 0 0;${FONT};font-size:15px;vertical-align:top;text-align:left;${FAINT}`,
  sum: `padding:8px 0 0;${FONT};font-size:15px;vertical-align:top;text-align:right;white-space:nowrap;${INK}`,
  total: `padding:8px 12px 0 0;${FONT};vertical-align:top;text-align:left;font-weight:700;${INK}`,
  totalSum: `padding:8px 0 0;${FONT};vertical-align:top;text-align:right;white-space:nowrap;font-weight:700;${INK}`,
  foot: `padding:20px 8px;${FONT};font-size:14px;${FAINT};text-align:center;overflow-wrap:anywhere`,
} as const;

/** The attributes that give an element its look, with the colors of the shop where it has them. */
function styled(name: keyof typeof look, colors = ""): readonly (Attribute | null)[] {
  const style = colors === "" ? look[name] : `${look[name]};${colors}`;
  return [attribute("class", name), attribute("style", style)];
}

const EMAIL_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; }
@media (prefers-color-scheme: dark) {
  .ground, .page { background: #14171c !important; }
  .sheet { background: #1d2128 !important; }
  .head, .sheet, .headline, .heading, .link, .name, .worth, .sum, .total, .totalSum { color: #f1f3f6 !important; }
  .note, .remark, .what, .foot { color: #a9b1bf !important; }
  .name, .worth, .sums { border-top-color: #3a414d !important; }
}
`;

/** The color of buttons where the shop has none. */
const COLOR_DEFAULT = "#0b6b3a";

/** Returns the whole document. */
function renderHtml(sheet: Sheet): string {
  const { store, letter } = sheet;
  return htmlDocument({
    language: tagOf(store.language, store.locale),
    title: letter.subject,
    style: EMAIL_STYLE,
    body: html`<div ${styled("ground")}>
      <table role="presentation" cellpadding="0" cellspacing="0" ${styled("page")}>
        <tr>
          <td align="center" style="padding:24px 12px">
            <table
              role="presentation"
              width="600"
              cellpadding="0"
              cellspacing="0"
              ${styled("column")}
            >
              ${renderHead(store)}${renderSheet(sheet)}${renderFoot(store)}
            </table>
          </td>
        </tr>
      </table>
    </div>`,
  });
}

function renderHead({ name, logoUrl }: MailingStore): Html {
  return html`<tr>
    <td ${styled("head")}>
      ${logoUrl !== null && html`<img src="${logoUrl}" alt="" height="40" ${styled("logo")} />`}${name}
    </td>
  </tr>`;
}

function renderSheet({ store: { brandColor }, greeting, letter }: Sheet): Html {
  const color = brandColor ?? COLOR_DEFAULT;
  return html`<tr>
    <td ${styled("sheet", `border-top:6px solid ${color}`)}>
      <h1 ${styled("headline")}>${letter.headline}</h1>
      <p ${styled("paragraph")}>${greeting}</p>
      ${letter.parts.map((part) => renderPart(part, color))}
    </td>
  </tr>`;
}

function renderPart(part: Part, color: string): Html {
  switch (part.kind) {
    case "heading":
      return html`<h2 ${styled("heading")}>${part.text}</h2>`;
    case "paragraph":
    case "amount":
    case "note":
      return html`<p ${styled(part.kind)}>${part.text}</p>`;
    case "button":
      return html`<p ${styled("action")}>
        <a href="${part.url}" ${styled("button", buttonColors(color))}>${part.label}</a>
      </p>`;
    case "link":
      return html`<p ${styled("action")}>
        <a href="${part.url}" ${styled("link")}>${part.label}</a>
      </p>`;
    case "items":
      return html`<ul ${styled("items")}>
        ${part.items.map((item) => html`<li>${item}</li>`)}
      </ul>`;
    case "lines":
      return html`<table ${styled("table")}>
        ${part.lines.map(renderLine)}
      </table>`;
    case "sums":
      return renderSums(part);
  }
}

function buttonColors(color: string): string {
  return `background:${color};color:${inkOn(color)};border-color:${edgeOf(color, "light")}`;
}

function renderLine({ name, total, remarks, isGone }: ShownLine): Html {
  return html`<tr>
    <td ${styled("name")}>
      ${isGone ? html`<s>${name}</s>` : name}${remarks.map(
        (remark) => html`<br /><span ${styled("remark")}>${remark}</span>`,
      )}
    </td>
    <td ${styled("worth")}>${total ?? "–"}</td>
  </tr>`;
}

function renderSums({ sums, isTotal }: Extract<Part, { kind: "sums" }>): Html {
  return html`<table ${styled("sums")}>
    ${sums.map((sum, index) => renderSum(sum, isTotal && index === sums.length - 1))}
  </table>`;
}

function renderSum([name, amount]: SumLine, isTotal: boolean): Html {
  return html`<tr>
    <td ${styled(isTotal ? "total" : "what")}>${name}</td>
    <td ${styled(isTotal ? "totalSum" : "sum")}>${amount}</td>
  </tr>`;
}

function renderFoot(store: MailingStore): Html {
  const { name, websiteUrl } = store;
  const lines = contactOf(store);
  return html`<tr>
    <td ${styled("foot")}>
      ${lines.map((line) => html`${line}<br />`)}${
        websiteUrl !== null &&
        html`<a href="${websiteUrl}" ${attribute("style", "color:inherit")}>${name}</a>`
      }
    </td>
  </tr>`;
}

/** Returns the whole text. */
function renderText({ store, greeting, letter }: Sheet): string {
  const foot = [oneLine(store.name), ...contactOf(store), store.websiteUrl ?? ""];
  // Mail programs take what follows this line for a signature (RFC 3676).
  const signature = ["-- ", ...foot.filter((line) => line !== "")].join("\n");
  return `${[greeting, ...letter.parts.map((part) => textOf(part, store.words.colon)), signature].join("\n\n")}\n`;
}

function textOf(part: Part, colon: string): string {
  switch (part.kind) {
    case "heading":
      return part.text.toUpperCase();
    case "paragraph":
    case "amount":
    case "note":
      return part.text;
    case "button":
    case "link":
      return `${part.label}${colon}\n${part.url}`;
    case "items":
      return part.items.map((item) => `- ${oneLine(item)}`).join("\n");
    case "lines":
      return part.lines.map((line) => textOfLine(line, colon)).join("\n");
    case "sums":
      return part.sums.map((sum) => textOfSum(sum, colon)).join("\n");
  }
}

function textOfLine({ name, total, remarks }: ShownLine, colon: string): string {
  const row = `- ${isolated(oneLine(name))}`;
  return `${row}${colon} ${total ?? "–"} (${remarks.join(", ")})`;
}

function textOfSum([name, amount]: SumLine, colon: string): string {
  return `${oneLine(name)}${colon} ${amount}`;
}

/** An email but for its sender and its name. */
export type EmailContent = Omit<MailMessage, "from" | "messageId">;

/** Returns the email to this address. */
export function writeLetter(
  sheet: Sheet,
  way: Pick<EmailContent, "to" | "unsubscribeUrl">,
): EmailContent {
  const { contactEmail, language, locale } = sheet.store;
  return {
    ...way,
    replyTo: contactEmail,
    language: tagOf(language, locale),
    subject: oneLine(sheet.letter.subject),
    text: renderText(sheet),
    html: renderHtml(sheet),
  };
}
