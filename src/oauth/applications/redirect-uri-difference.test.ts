import { describe, expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { nearestDifference, type Stretch } from "./redirect-uri-difference.ts";

/** Returns the text of a URI, in which brackets mark the parts that differ from the other URI. */
const written = (stretches: readonly Stretch[] | undefined): string =>
  (stretches ?? []).map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");

function marked(requested: string, ...registered: string[]): readonly string[] {
  const difference = nearestDifference(requested, registered);
  return [written(difference?.requested), written(difference?.registered)];
}

describe("the difference between the requested redirect URI and the most similar registered URI", () => {
  it.each<[string, string, string, string, string]>([
    [
      "an additional slash at the end",
      "https://a.example/cb/",
      "https://a.example/cb",
      "https://a.example/cb[/]",
      "https://a.example/cb",
    ],
    [
      "a missing slash",
      "https://a.example/cb",
      "https://a.example/cb/",
      "https://a.example/cb",
      "https://a.example/cb[/]",
    ],
    [
      "another scheme",
      "http://a.example/cb",
      "https://a.example/cb",
      "http://a.example/cb",
      "http[s]://a.example/cb",
    ],
    [
      "two places",
      "http://a.example/Cb",
      "https://a.example/cb",
      "http://a.example/[C]b",
      "http[s]://a.example/[c]b",
    ],
    [
      "another port",
      "https://a.example:8443/cb",
      "https://a.example/cb",
      "https://a.example[:8443]/cb",
      "https://a.example/cb",
    ],
    ["a completely different URI", "x", "yz", "[x]", "[yz]"],
  ])("the difference marks %s", (_what, requested, registered, ...expected) => {
    expect(marked(requested, registered)).toEqual(expected);
  });

  it("the requested URI is compared with the most similar of several registered URIs", () => {
    const registered = ["https://other.example/cb", "https://a.example/callback", "com.example:/cb"];
    expect(marked("https://a.example/calback", ...registered)[1]).toBe("https://a.example/cal[l]back");
  });

  it("the difference is null for an application without a redirect URI", () => {
    expect(nearestDifference("https://a.example/", [])).toBeNull();
  });

  it("long URIs are not compared by character, and the difference still contains both complete URIs", () => {
    // Each URI has a hundred thousand letters. A comparison by character would therefore need 10 billion
    // steps.
    const requested = `https://a.example/${"ab".repeat(50_000)}`;
    const registered = Array.from(
      { length: 50 },
      (_, index) => `https://b.example/${"ba".repeat(50_000 - index)}`,
    );
    const difference = completed(() => nearestDifference(requested, registered));
    expect(difference?.requested.map(({ text }) => text).join("")).toBe(requested);
    expect(registered).toContain(difference?.registered.map(({ text }) => text).join(""));
  });
});
