/**
 * Text that people typed, for `contains` and `startsWith`: these become LIKE, to which `%` and `_` stand for anything.
 */
export const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** As Prisma writes it of a parameter; what is quoted has its quotes doubled, and is never this. */
const LIKE = / LIKE \((?:'%' \|\| \?(?: \|\| '%')?|\? \|\| '%')\)(?! ESCAPE)/g;
const CONTAINS = " LIKE ('%' || ? || '%')";
/** By another column than the id. */
const ORDERED = / ORDER BY (?=`main`\.`\w+`\.`(?!id`))/;

/**
 * The same statement for SQLite. No character escapes there unless it is named; in PostgreSQL the backslash does.
 *
 * And what holds a text is looked for in the order in which it lies in the file: SQLite would take the index that has
 * the order of the list, and follow it to each row, four times as long. A plus makes an expression of the column, which
 * no index has; what was found is sorted.
 */
export function likeInSqlite(sql: string): string {
  if (!sql.includes(" LIKE (")) return sql;
  const escaped = sql.replace(LIKE, "$& ESCAPE '\\'");
  return sql.includes(CONTAINS) ? escaped.replace(ORDERED, " ORDER BY +") : escaped;
}
