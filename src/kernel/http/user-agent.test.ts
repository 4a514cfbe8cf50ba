import { describe, expect, it } from "vitest";
import { describeUserAgent, keptUserAgent } from "./user-agent.ts";

describe("the description of a User-Agent header", () => {
  it.each<[string, string]>([
    ["acme-cli/2.1 (Linux; x64)", "acme-cli/2.1 · Linux"],
    ["curl/8.5.0", "curl/8.5.0"],
    ["node", "node"],
    ["Roku/DVP-12.0 (12.0.0)", "Roku/DVP-12.0"],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome · Linux"],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1",
      "Safari · iOS",
    ],
    ["Mozilla/5.0 (Linux; Android 16; TV) Gecko/140.0 Firefox/140.0", "Firefox · Android"],
    ["", "an unknown program"],
    ["(nothing before the brackets)", "an unknown program"],
  ])("the User-Agent header %j is described as %j", (userAgent, words) => {
    expect(describeUserAgent(userAgent)).toBe(words);
  });

  it("the stored User-Agent header contains only printable characters and has a limited length", () => {
    expect(keptUserAgent(null)).toBe("");
    expect(keptUserAgent(" a\u0000b\u202ec\n<d>é ")).toBe("abc<d>");
    expect(keptUserAgent("x".repeat(5_000))).toHaveLength(200);
  });
});
