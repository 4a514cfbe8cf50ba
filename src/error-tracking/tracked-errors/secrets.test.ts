import { describe, expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { withoutSecrets } from "./secrets.ts";

describe("the function withoutSecrets", () => {
  it.each<[string, string]>([
    ["/a?token=1&b=2", "/a?token=[filtered]&b=2"],
    ["/a?user[access-token].x=1;auth=2#code=3", "/a?user[access-token].x=[filtered]#code=[filtered]"],
    ["?oauth=1&author=2&keys=3&code=4", "?oauth=1&author=2&keys=3&code=[filtered]"],
    ["?tokentoken =1&pwd=2", "?tokentoken =1&pwd=[filtered]"],
    ["?next=/b?token=1", "?next=/b?token=[filtered]"],
    ["?pass=1&PASSWORD=2", "?pass=1&PASSWORD=[filtered]"],
    ["https://ann:pw@shop.example/", "https://[filtered]@shop.example/"],
    ["Bearer abcdefgh1", "[filtered]"],
  ])("withoutSecrets changes %j to %j", (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });
});

describe("withoutSecrets", () => {
  it.each(["pwd", "token", "csrf", "api-key", "?token", "?&", "://", "://a:", "bearer ", "gh", "@", "?a;"])(
    "withoutSecrets takes linear time for a text that repeats %j",
    (unit) => {
      // For this text, a function with quadratic time would need 10^12 steps.
      const text = `?${unit.repeat(1_000_000)} =@_`;
      expect(completed(() => withoutSecrets(text))).toHaveLength(text.length);
    },
  );
});
