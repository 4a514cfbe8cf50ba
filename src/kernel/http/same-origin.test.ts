import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { formOrigin } from "./same-origin.ts";

it.each<[Record<string, string>, ReturnType<typeof formOrigin>]>([
  [{ "sec-fetch-site": "same-origin" }, "same"],
  [{ "sec-fetch-site": "same-origin", origin: "null" }, "same"],
  [{ "sec-fetch-site": "same-site" }, "other"],
  [{ "sec-fetch-site": "cross-site" }, "other"],
  [{ "sec-fetch-site": "none" }, "other"],
  [{ "sec-fetch-site": "cross-site", origin: "https://id.example" }, "other"],
  [{ origin: "https://id.example" }, "same"],
  [{ origin: "http://id.example" }, "other"],
  [{ origin: "https://id.example:8443" }, "other"],
  [{ origin: "https://id.example.evil.example" }, "other"],
  [{ origin: "https://sub.id.example" }, "other"],
  [{ origin: "null" }, "other"],
  [{ origin: "" }, "other"],
  [{}, "unknown"],
])(
  conformance("AT-14", "the origin check classifies a form post with the headers %j as %s"),
  (headers, expected) => {
    expect(formOrigin(new Headers(headers), "https://id.example")).toBe(expected);
  },
);
