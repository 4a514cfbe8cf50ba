import { describe, expect, it } from "vitest";
import { matchesEntityTag } from "./entity-tag.ts";

describe("an entity tag", () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', "*", '"b" , W/"a"'])(
    "an entity tag matches the header If-None-Match: %s",
    (header) => {
      expect(matchesEntityTag(header, '"a"')).toBe(true);
    },
  );

  it.each([null, "", '"b"', "a", 'W/"b", "c"'])(
    "an entity tag does not match the header If-None-Match: %s",
    (header) => {
      expect(matchesEntityTag(header, '"a"')).toBe(false);
    },
  );
});
