import type { Db } from "@/kernel/db/db";
import { literally } from "@/kernel/db/like";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import { type OwnerPath, ownerPathColumns, ownerPathOf } from "./owner";
import { heldBy } from "./owner-store";

/** An application as a search result. */
export type FoundApplication = Readonly<{ id: number; name: string; uid: string; owner: string }>;

/**
 * The maximum number of rows that a search reads from an index. The search returns only the rows whose
 * indexed column begins with the given text.
 */
const PREFIX_ROWS = 20;

const foundColumns = { id: true, name: true, uid: true, ...ownerPathColumns } as const;

const foundFrom = ({ id, name, uid, ...row }: Omit<FoundApplication, "owner"> & OwnerPath) => ({
  id,
  name,
  uid,
  owner: `${row.owner === null ? "" : "@"}${ownerPathOf(row)}`,
});

/**
 * Returns at most `most` applications that a user owns or maintains. The name of each returned application
 * contains the given text, or a common variant of the text in upper and lower case.
 */
export async function findOwnMatching(
  db: Db,
  userId: number,
  search: string,
  most: number,
): Promise<readonly FoundApplication[]> {
  const OR = caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } }));
  const where = { AND: [heldBy({ kind: "manager", id: userId }), { OR }] };
  const rows = await db.application.findMany({ where, take: most, select: foundColumns });
  return rows.map(foundFrom);
}

/**
 * Returns at most `most` applications of the instance. The name or the Application ID of each returned
 * application begins with the given text. A name can also begin with a common variant of the text in upper
 * and lower case. Each query reads a few rows of an index.
 */
export async function findByPrefix(
  db: Db,
  search: string,
  most: number,
): Promise<readonly FoundApplication[]> {
  const conditions = [
    ...caseVariantsOf(search).map((text) => ["name", text] as const),
    ["uid", search.toLowerCase()] as const,
  ];
  const matches = await Promise.all(
    conditions.map(async ([column, text]) => {
      const rows = await db.application.findMany({
        where: { [column]: { gte: text } },
        orderBy: { [column]: "asc" },
        take: PREFIX_ROWS,
        select: foundColumns,
      });
      return rows.filter((row) => row[column].startsWith(text)).map(foundFrom);
    }),
  );
  return [...new Map(matches.flat().map((row) => [row.id, row])).values()].slice(0, most);
}
