import { expect, it } from "vitest";
import { literally, withEscape } from "./like.ts";

it("takes their meaning from the characters that have one", () => {
  expect(literally("50%_\\x")).toBe("50\\%\\_\\\\x");
});

it.each([
  ["`n` LIKE ('%' || ? || '%') OR", "`n` LIKE ('%' || ? || '%') ESCAPE '\\' OR"],
  ["(NOT `n` LIKE ('%' || ?))", "(NOT `n` LIKE ('%' || ?) ESCAPE '\\')"],
  [
    "`a` LIKE (? || '%') OR `b` LIKE (? || '%')",
    "`a` LIKE (? || '%') ESCAPE '\\' OR `b` LIKE (? || '%') ESCAPE '\\'",
  ],
])("names the escape character wherever Prisma compares: %s", (sql, escaped) => {
  expect(withEscape(sql)).toBe(escaped);
  expect(withEscape(escaped)).toBe(escaped);
});

it.each([
  "SELECT ' LIKE (? || ''%'')'",
  "SELECT ' LIKE (''%'' || ?)'",
  "SELECT ' LIKE (?)'",
  "SELECT 1 WHERE x LIKE 'a%'",
])("leaves what is quoted, and what was written by hand: %s", (sql) => {
  expect(withEscape(sql)).toBe(sql);
});
