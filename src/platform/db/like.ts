/**
 * Text that people typed, for `contains` and `startsWith`: these become LIKE, to which `%` and `_` stand for anything.
 */
export const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** As Prisma writes it of a parameter; what is quoted has its quotes doubled, and is never this. */
const LIKE = / LIKE \((?:'%' \|\| \?(?: \|\| '%')?|\? \|\| '%')\)(?! ESCAPE)/g;

/** The same statement for SQLite, where no character escapes unless it is named; in PostgreSQL the backslash does. */
export const withEscape = (sql: string): string =>
  sql.includes(" LIKE (") ? sql.replace(LIKE, "$& ESCAPE '\\'") : sql;
