/**
 * A kind of SQL statement in migrations after which an older version of Gatehouse can fail on the migrated
 * database.
 */
type Contraction = Readonly<{ what: string; pattern: RegExp }>;

const CONTRACTIONS: readonly Contraction[] = [
  { what: "drops a table", pattern: /\bDROP\s+TABLE\b/i },
  { what: "drops a column", pattern: /\bDROP\s+COLUMN\b/i },
  { what: "renames a table or column", pattern: /\bRENAME\s+(?:TO|COLUMN)\b/i },
  { what: "requires a value in an existing column", pattern: /\bSET\s+NOT\s+NULL\b/i },
  { what: "changes the type of a column", pattern: /\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i },
  {
    what: "adds a column without a default that requires a value",
    pattern: /\bADD\s+COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
  },
];

/** Returns the reasons why an older version can fail on a database after the given migration. */
export const contractionsIn = (sql: string): readonly string[] => {
  const statements = sql.replace(/--[^\n]*/g, "");
  return CONTRACTIONS.filter(({ pattern }) => pattern.test(statements)).map(({ what }) => what);
};
