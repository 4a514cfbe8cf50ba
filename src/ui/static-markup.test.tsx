import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { discardMarkup, enableMarkupStore } from "@/kernel/http/page-markup.ts";
import { answering } from "@/kernel/http/page-status.ts";
import { Confirm } from "./confirm.tsx";
import { Field, SelectField } from "./field.tsx";
import { IconShape } from "./icon-shape.tsx";
import { StaticMarkup } from "./static-markup.tsx";

/** Returns the props of the element that `StaticMarkup` returns for its children. */
const propsFor = (children: ReactNode) =>
  (StaticMarkup({ children }) as { readonly props: Readonly<Record<string, unknown>> }).props;
const htmlOf = (children: ReactNode) => propsFor(<div>{children}</div>)["dangerouslySetInnerHTML"];

/** The properties with which the server marks a function as a server action. */
const asAction = (bound: readonly string[] | null) =>
  Object.assign(() => Promise.resolve(), {
    $$typeof: Symbol.for("react.server.reference"),
    $$id: "4f2a",
    $$bound: bound,
  });

const Greeting = ({ name }: { readonly name: string }) => (
  <>
    Hello <b>{name}</b>
  </>
);

const CONTENTS: Readonly<Record<string, ReactNode>> = {
  "text with characters that have a meaning in HTML": <p title={`<"'&>`}>{`<script>"'&amp;`}</p>,
  "components, lists, numbers and absent values": [
    <Greeting key="a" name="Ann" />,
    <p key="b">
      {1}
      {null}
      {false}
      {undefined}
      {["x", <i key="i">y</i>]}
    </p>,
  ],
  "an icon": <IconShape path="M0 0h8" />,
  "an image with titles": (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label="A chart">
      <path d="M0 0" strokeLinecap="round" vectorEffect="non-scaling-stroke">
        <title>One</title>
      </path>
    </svg>
  ),
  "a dialog with a form": (
    <Confirm id="remove-1" summary="Remove" title="Remove?" question="The member loses the role.">
      <form method="post" action="/members">
        <input type="hidden" name="id" value="1" />
        <button type="submit" disabled>
          Remove
        </button>
      </form>
    </Confirm>
  ),
  "fields with default values": (
    <>
      <Field id="name" name="name" label="Name" defaultValue="Ann" required maxLength={4} problems={["No"]} />
      <input type="checkbox" defaultChecked aria-hidden={false} autoComplete="off" />
      <SelectField id="role" label="Role" defaultValue="b">
        <option value="a">A</option>
        <option value="b">B</option>
      </SelectField>
    </>
  ),
  "code that begins with a line feed": <pre>{"\n\nmake"}</pre>,
};

/** Returns HTML in the form in which the HTML parser would read the HTML of React and of `StaticMarkup`. */
const parsed = (html: unknown) =>
  String(html)
    .replaceAll("/>", ">")
    .replaceAll("<!-- -->", "")
    .replace(/<(\w+)((?: [^<>]*?)?)>/g, (_, tag, attributes) => {
      const sorted = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(
        ([, name, value]) => `${name.toLowerCase()}="${value}"`,
      );
      return `<${[tag, ...sorted.toSorted()].join(" ")}>`;
    });

describe("static markup", () => {
  it.each(Object.entries(CONTENTS))("static markup contains the same HTML as React for %s", (_, content) => {
    const element = <div>{content}</div>;
    expect(JSON.stringify(propsFor(element))).toMatch(/"(?:html|__html)":/);
    for (const node of [element, content])
      expect(parsed(renderToStaticMarkup(<StaticMarkup>{node}</StaticMarkup>))).toBe(
        parsed(renderToStaticMarkup(node)),
      );
  });

  it("the flight data of a document contain the digest of a long static part instead of its HTML", () => {
    const response = { statusCode: 200 };
    const text = "A long text. ".repeat(40);
    const page = (
      <p className="long">
        <b>{text}</b>
      </p>
    );
    const render = () => {
      const element = StaticMarkup({ children: page });
      return { data: JSON.stringify(element), html: renderToStaticMarkup(element) };
    };
    const outside = answering(response, render);
    expect(outside).toEqual({
      data: expect.stringContaining(text),
      html: `<p class="long"><b>${text}</b></p>`,
    });
    enableMarkupStore(response);
    const { data, html } = answering(response, render);
    const digest = /"digest":"([\w-]{12})"/.exec(data)?.[1];
    expect(data).not.toContain("A long text.");
    expect(html).toBe(`<p class="long" data-markup="${digest}"><b>${text}</b></p>`);
    // The text of one response is not part of another response.
    const other = { statusCode: 200 };
    enableMarkupStore(other);
    const element = answering(response, () => StaticMarkup({ children: page }));
    expect(() => answering(other, () => renderToStaticMarkup(element))).toThrow("does not store this HTML");
    discardMarkup(response);
    expect(answering(response, render)).toEqual(outside);
  });

  it("a long static part keeps its key, and a long static part without a key has no key", () => {
    const content = <p>{"A long text. ".repeat(40)}</p>;
    const keyOf = (children: ReactNode) => (StaticMarkup({ children }) as ReactElement).key;
    expect(keyOf(<section>{content}</section>)).toBeNull();
    expect(keyOf(<section key="a">{content}</section>)).toBe("a");
  });

  it("static markup writes a server action as the hidden field that browsers submit without a script", () => {
    expect(htmlOf(<form action={asAction(null)}>Send</form>)).toEqual({
      __html: `<form action="" encType="multipart/form-data" method="POST"><input type="hidden" name="$ACTION_ID_4f2a">Send</form>`,
    });
  });

  const BROWSER = Object.assign(() => null, { $$typeof: Symbol.for("react.client.reference") });
  it.each<[string, ReactNode]>([
    ["a component that runs in the browser", <BROWSER key="a" />],
    ["a promise of content", Promise.resolve(<p />)],
    ["a server action with bound arguments", <form key="a" action={asAction(["1"])} />],
    ["an event handler", <input key="a" onChange={() => undefined} />],
    ["a style", <p key="a" style={{ color: "red" }} />],
    ["a text field with several lines", <textarea key="a" defaultValue="a" />],
    ["a title of the document", <title key="a">Page</title>],
    [
      "a URL with a script",
      <a key="a" href={" java\nscript:alert(1)"}>
        Open
      </a>,
    ],
  ])("React renders %s, and the content next to it is HTML", (_, content) => {
    const { children, dangerouslySetInnerHTML } = propsFor(
      <div>
        {content}
        <p>
          <b>static</b>
        </p>
      </div>,
    );
    expect(dangerouslySetInnerHTML).toBeUndefined();
    const [first, second] = (children as { readonly props: { readonly children: readonly ReactNode[] } })
      .props.children;
    expect(first).toBe(content);
    expect(second).toHaveProperty("props.dangerouslySetInnerHTML", { __html: "<b>static</b>" });
  });

  it("the rows of a list with a component that runs in the browser keep their keys", () => {
    const rows = ["a", "b"].map((key) => (
      <li key={key}>
        <i>{key}</i>
        <BROWSER />
      </li>
    ));
    const list = propsFor(<ul>{rows}</ul>)["children"] as { readonly props: { readonly children: unknown } };
    expect(list.props.children).toMatchObject([{ key: "a" }, { key: "b" }]);
  });
});
