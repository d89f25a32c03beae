// What is put into a template is text, wherever it stands.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { attribute, html, trusted } from "#platform/html/html.ts";

const SCRIPT = `"><img src=x onerror=alert(1)>`;

describe("a text in a template", () => {
  test("is escaped between tags", () => {
    expect(html`<p>${"<b>&"}</p>`.text).toBe("<p>&lt;b&gt;&amp;</p>");
  });

  test("can be several attributes, of which some are absent", () => {
    const attributes = [attribute("hidden", true), null, attribute("title", SCRIPT)];
    const escaped = `&quot;&gt;&lt;img src=x onerror=alert(1)&gt;`;
    expect(html`<p ${attributes}></p>`.text).toBe(`<p hidden title="${escaped}"></p>`);
  });

  test("is escaped in a value", () => {
    const escaped = `&quot;&gt;&lt;img src=x onerror=alert(1)&gt;`;
    expect(html`<p title="${SCRIPT}" class="a ${SCRIPT}"></p>`.text).toBe(
      `<p title="${escaped}" class="a ${escaped}"></p>`,
    );
  });

  test("makes no element and ends no value, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const elements: string[] = [];
        const titles: (string | null)[] = [];
        const page = html`<p title="${text}">${text}</p>`.text;
        await new HTMLRewriter()
          .on("*", {
            element(element) {
              elements.push(element.tagName);
              titles.push(element.getAttribute("class"));
            },
          })
          .transform(new Response(page))
          .text();

        expect(elements).toEqual(["p"]);
        expect(titles).toEqual([null]);
      }),
    );
  });

  test.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "JaVaScRiPt:x",
  ])("%s is no address", (address) => {
    expect(html`<a href="${address}">Go</a>`.text).toBe(`<a href="#">Go</a>`);
  });

  test.each([
    "https://shop.example/a?b=c",
    "/orders",
    "?page=2",
    "#main",
    "tel:+233201234567",
    "mailto:a@b.example",
  ])("%s is an address", (address) => {
    expect(html`<a href="${address}">Go</a>`.text).toBe(`<a href="${address}">Go</a>`);
  });

  test("continues an address that the template begins", () => {
    expect(html`<a href="/orders/${"ord_1?x=javascript:"}">Go</a>`.text).toBe(
      `<a href="/orders/ord_1?x=javascript:">Go</a>`,
    );
  });
});

describe("HTML in a template", () => {
  test("stays as it is between tags, one after the other in a list", () => {
    const rows = ["a", "<"].map((name) => html`<li>${name}</li>`);
    expect(
      html`<ol>
        ${rows}
      </ol>`.text.replaceAll(/\s/g, ""),
    ).toBe("<ol><li>a</li><li>&lt;</li></ol>");
  });

  test("is nothing for null, undefined and false", () => {
    expect(html`<p>${null}${undefined}${false}${0}</p>`.text).toBe("<p>0</p>");
  });

  test("has attributes that are there or not", () => {
    const box = (isOn: boolean) => html`<input name="a" ${attribute("checked", isOn)} />`.text;
    expect([box(true), box(false)]).toEqual([`<input name="a" checked />`, `<input name="a" />`]);
    expect(html`<a ${attribute("aria-current", `"page`)}>x</a>`.text).toBe(
      `<a aria-current="&quot;page">x</a>`,
    );
  });

  test("may be written by us", () => {
    expect(html`<p>${trusted("<b>x</b>")}</p>`.text).toBe("<p><b>x</b></p>");
  });
});

describe("a template is refused", () => {
  const bad: readonly [string, () => unknown][] = [
    ["with a text as the name of a tag", () => html`<${"p"}>`],
    ["with a text as the end of a name", () => html`<p${"x"}>`],
    ["with a text as the name of an end tag", () => html`</${"p"}>`],
    ["with a text among attributes", () => html`<p ${"onclick=x"}></p>`],
    ["with a value without quotes", () => html`<p title=${"x"}></p>`],
    ["with a text in an event handler", () => html`<p onclick="${"x"}"></p>`],
    ["with a text in a style", () => html`<p style="${"x"}"></p>`],
    ["with a text in a list of pictures", () => html`<img srcset="${"x"}" />`],
    ["with a text in a document of a frame", () => html`<iframe srcdoc="${"x"}"></iframe>`],
    [
      "with a text in a script",
      () =>
        html`<script>
          ${"x"};
        </script>`,
    ],
    [
      "with a text in a style sheet",
      () =>
        html`<style>
          a${"x"}
        </style>`,
    ],
    ["with a text in a comment", () => html`<!-- ${"x"} -->`],
    ["with HTML in a value", () => html`<p title="${html`x`}"></p>`],
    ["with an attribute in a value", () => html`<p title="${attribute("a", "b")}"></p>`],
    ["with an attribute between tags", () => html`<p>${attribute("a", "b")}</p>`],
    ["with a list in a value", () => html`<p title="${["a"]}"></p>`],
  ];

  test.each(bad)("%s", (_, make) => {
    expect(make).toThrow();
  });
});

test("a text may follow a script, a style and a comment", () => {
  expect(
    html`<style>
        a > b {
        }</style
      ><script src="/x.js"></script><!-- > " -->
      <p>${"<"}</p>`.text,
  ).toEndWith("<p>&lt;</p>");
});
