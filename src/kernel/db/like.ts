/**
 * Escapes the wildcards `%` and `_` in user input for `contains` and `startsWith`, which Prisma translates to
 * LIKE.
 */
export const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * Matches a LIKE comparison with a parameter, as Prisma generates the comparison. The pattern never matches
 * inside of a quoted SQL string, because quotes are doubled there.
 */
const LIKE = / LIKE \((?:'%' \|\| \?(?: \|\| '%')?|\? \|\| '%')\)(?! ESCAPE)/g;
const CONTAINS = " LIKE ('%' || ? || '%')";
/** Matches an `ORDER BY` of a column other than the id. */
const ORDERED = / ORDER BY (?=`main`\.`\w+`\.`(?!id`))/;

/**
 * Returns a statement that has the same result on SQLite as the statement `sql` has on PostgreSQL. In LIKE,
 * PostgreSQL uses the backslash as the escape character by default. SQLite has an escape character only if
 * the statement names the character.
 *
 * In a text search, SQLite must not use the index of the sort column. A search that follows the index to each
 * row takes four times as long as a scan of the table in file order. The function therefore puts a plus sign
 * before the sort column. The plus sign turns the column into an expression, for which there is no index, so
 * SQLite sorts the matches.
 */
export function likeInSqlite(sql: string): string {
  if (!sql.includes(" LIKE (")) return sql;
  const escaped = sql.replace(LIKE, "$& ESCAPE '\\'");
  return sql.includes(CONTAINS) ? escaped.replace(ORDERED, " ORDER BY +") : escaped;
}
