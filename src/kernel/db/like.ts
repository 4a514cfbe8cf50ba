/** Escapes user input for `contains` and `startsWith`, which become LIKE, where `%` and `_` are wildcards. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * The form in which Prisma writes LIKE with a parameter. Quoted text has doubled quotes and never matches.
 */
const LIKE = / LIKE \((?:'%' \|\| \?(?: \|\| '%')?|\? \|\| '%')\)(?! ESCAPE)/g;
const CONTAINS = " LIKE ('%' || ? || '%')";
/** An order by a column other than the id. */
const ORDERED = / ORDER BY (?=`main`\.`\w+`\.`(?!id`))/;

/**
 * Returns the same statement for SQLite. In LIKE, SQLite has no escape character unless the statement names
 * one; in PostgreSQL it is the backslash.
 *
 * A search for text also ignores the index of the order: SQLite would follow it to each row, which takes
 * four times as long as reading the table in the order of the file. A plus sign turns the column into an
 * expression, which no index has, so SQLite sorts the matches.
 */
export function likeInSqlite(sql: string): string {
  if (!sql.includes(" LIKE (")) return sql;
  const escaped = sql.replace(LIKE, "$& ESCAPE '\\'");
  return sql.includes(CONTAINS) ? escaped.replace(ORDERED, " ORDER BY +") : escaped;
}
