// An email as HTML. Pure. Invariant: it loads nothing but the logo of the shop, runs no script, and reads well where
// pictures and the sheet of styles are left out.

import { edgeOf, inkOn } from "#pay-page/frame/brand.ts";
import type { ShownLine } from "#pay-page/page-frame.ts";
import type { SumLine } from "#pay-page/sums.ts";
import { htmlDocument } from "#platform/html/html-document.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { tagOf } from "#shop/store/branding.ts";

import type { MailingStore } from "../words/localize.ts";
import { EMAIL_STYLE, styled } from "./email-style.ts";
import { contactOf, type Part, type Sheet } from "./letter.ts";

/** The color of buttons where the shop has none. */
const COLOR_DEFAULT = "#0b6b3a";

/** Returns the whole document. */
export function renderHtml(sheet: Sheet): string {
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
