import { expect, it } from "vitest";
import { likeInSqlite, literally } from "./like.ts";

it("the LIKE filter escapes the characters that have a meaning in LIKE", () => {
  expect(literally("50%_\\x")).toBe("50\\%\\_\\\\x");
});

it.each([
  ["`n` LIKE ('%' || ? || '%') OR", "`n` LIKE ('%' || ? || '%') ESCAPE '\\' OR"],
  ["(NOT `n` LIKE ('%' || ?))", "(NOT `n` LIKE ('%' || ?) ESCAPE '\\')"],
  [
    "`a` LIKE (? || '%') OR `b` LIKE (? || '%')",
    "`a` LIKE (? || '%') ESCAPE '\\' OR `b` LIKE (? || '%') ESCAPE '\\'",
  ],
])(
  "the statement for SQLite names the escape character in every LIKE comparison that Prisma writes: %s",
  (sql, escaped) => {
    expect(likeInSqlite(sql)).toBe(escaped);
    expect(likeInSqlite(escaped)).toBe(escaped);
  },
);

it.each([
  "SELECT ' LIKE (? || ''%'')'",
  "SELECT ' LIKE (''%'' || ?)'",
  "SELECT ' LIKE (?)'",
  "SELECT 1 WHERE x LIKE 'a%'",
])("the conversion of a statement for SQLite does not change quoted text and handwritten SQL: %s", (sql) => {
  expect(likeInSqlite(sql)).toBe(sql);
});

it("after the conversion of a statement for SQLite, SQLite sorts the matching rows instead of reading all rows in the order of an index", () => {
  const query = "SELECT `main`.`P`.`id` FROM `main`.`P` WHERE `main`.`P`.`n` LIKE ('%' || ? || '%')";
  const order = "`main`.`P`.`createdAt` DESC, `main`.`P`.`id` DESC LIMIT ?";
  expect(likeInSqlite(`${query} ORDER BY ${order}`)).toBe(`${query} ESCAPE '\\' ORDER BY +${order}`);
});

it.each([
  ["that is ordered by id", "`n` LIKE ('%' || ? || '%') ESCAPE '\\' ORDER BY `main`.`P`.`id` ASC"],
  ["without a search", "`n` = ? ORDER BY `main`.`P`.`createdAt` ASC"],
  [
    "with a search for the beginning of a name",
    "`n` LIKE (? || '%') ESCAPE '\\' ORDER BY `main`.`P`.`createdAt` ASC",
  ],
])("the conversion of a statement for SQLite does not change the ORDER BY clause of a list %s", (_, sql) => {
  expect(likeInSqlite(sql)).toBe(sql);
});
