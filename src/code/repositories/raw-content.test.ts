import { describe, expect, it } from "vitest";
import { isPictureName, rawHeaders } from "./raw-content.ts";

const headersOf = (path: string, content = "text") => rawHeaders(path, Buffer.from(content, "latin1"));

describe("rawHeaders", () => {
  it.each([
    ["a.html", "<script>alert(1)</script>", "text/plain; charset=utf-8", "inline"],
    ["a.js", "alert(1)", "text/plain; charset=utf-8", "inline"],
    ["a.xml", "<x/>", "text/plain; charset=utf-8", "inline"],
    ["README", "text", "text/plain; charset=utf-8", "inline"],
    ["logo.PNG", "\x89PNG\0", "image/png", "inline"],
    ["logo.svg", "<svg><script>alert(1)</script></svg>", "image/svg+xml", "inline"],
    ["a.pdf", "%PDF\0", "application/octet-stream", "attachment"],
    ["a.constructor", "\0", "application/octet-stream", "attachment"],
    ["png", "\0", "application/octet-stream", "attachment"],
  ])(
    "for the file %s with the content %j, the response has the media type %s and the disposition %s",
    (path, content, type, disposition) => {
      const headers = headersOf(path, content);
      expect(headers["content-type"]).toBe(type);
      expect(headers["content-disposition"]).toMatch(new RegExp(`^${disposition};`));
    },
  );

  it("the response headers of every raw file prevent browsers from running scripts and guessing the media type", () => {
    for (const path of ["a.svg", "a.html", "a.bin"])
      expect(headersOf(path)).toMatchObject({
        "content-security-policy": expect.stringMatching(/^default-src 'none';.* sandbox$/),
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
  });

  it("the header Content-Disposition contains the encoded name of the file, but not the folder", () => {
    expect(headersOf(`docs/a "b";\r\nX: ü'(1).txt`)["content-disposition"]).toBe(
      "inline; filename*=UTF-8''a%20%22b%22%3B%0D%0AX%3A%20%C3%BC%27%281%29.txt",
    );
  });
});

describe("isPictureName", () => {
  it.each([
    ["docs/a.jpeg", true],
    ["a.svg", true],
    ["a.png.txt", false],
    ["png", false],
    ["a.constructor", false],
  ])("isPictureName returns whether the file %s is shown as a picture: %s", (path, expected) => {
    expect(isPictureName(path)).toBe(expected);
  });
});
