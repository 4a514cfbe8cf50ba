import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { TextField } from "./field.tsx";

const textIn = (html: string): string | undefined => /<textarea[^>]*>([^<]*)</.exec(html)?.[1];

it("the HTML parser keeps an empty first line of a text area, because the HTML contains one more line feed", () => {
  const html = renderToString(<TextField id="a" label="A" defaultValue={"\n\nb"} />);
  expect(textIn(html)).toBe("\n\n\nb");
});

it("the HTML of a text area contains its default value", () => {
  const html = renderToString(<TextField id="a" label="A" defaultValue={'<b> & "c"\nd'} />);
  expect(textIn(html)).toBe("&lt;b&gt; &amp; &quot;c&quot;\nd");
});
