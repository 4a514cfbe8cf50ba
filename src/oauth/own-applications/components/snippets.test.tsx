import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Snippets } from "./snippets.tsx";

it("the page of an application without code snippets shows the reason instead of an empty list", () => {
  const html = renderToStaticMarkup(<Snippets snippets={[]} about="Code snippets" />);
  expect(html).toContain("so there are no code snippets for this application.");
  expect(html).not.toContain("Code snippets");
});
