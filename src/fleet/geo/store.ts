import type { Db } from "@/kernel/db/db";
import type { GeoSite as SiteRow } from "@/kernel/db/generated/sqlite/client";
import { lockRow } from "@/kernel/db/lock";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import { type GeoSite, SELECTIVE_SYNC_TYPES, type SiteReport, type SiteSettings } from "./rules";
import { readNamespaceIds, readReport, readShards } from "./schema";

/** A Geo site with its last status report. */
export type ReportedSite = Readonly<{ site: GeoSite; report: SiteReport | null; reportedAt: Date | null }>;

const siteFrom = ({ report, reportedAt, primarySlot, ...row }: SiteRow): GeoSite => ({
  ...row,
  primary: primarySlot !== null,
  selectiveSyncType: SELECTIVE_SYNC_TYPES.find((type) => type === row.selectiveSyncType) ?? null,
  selectiveSyncShards: readShards(row.selectiveSyncShards),
  selectiveSyncNamespaceIds: readNamespaceIds(row.selectiveSyncNamespaceIds),
});

const reportedFrom = (row: SiteRow): ReportedSite => ({
  site: siteFrom(row),
  report: readReport(row.report),
  reportedAt: row.reportedAt,
});

const dataOf = ({ selectiveSyncShards, selectiveSyncNamespaceIds, ...settings }: SiteSettings) => ({
  ...settings,
  selectiveSyncShards: JSON.stringify(selectiveSyncShards),
  selectiveSyncNamespaceIds: JSON.stringify(selectiveSyncNamespaceIds),
});

/** @throws Prisma's P2002 if another site has the name or URL, or if there already is a primary site. */
export async function insert(
  db: Db,
  settings: SiteSettings,
  { primary, createdAt }: Pick<GeoSite, "primary" | "createdAt">,
): Promise<GeoSite> {
  const data = { ...dataOf(settings), primarySlot: primary ? 1 : null, createdAt };
  return siteFrom(await db.geoSite.create({ data }));
}

/** @throws Prisma's P2002 if another site has the name or URL. */
export const update = async (db: Db, id: number, settings: SiteSettings): Promise<GeoSite> =>
  siteFrom(await db.geoSite.update({ where: { id }, data: dataOf(settings) }));

export const setApplication = async (db: Db, id: number, applicationId: number): Promise<GeoSite> =>
  siteFrom(await db.geoSite.update({ where: { id }, data: { applicationId } }));

export async function findById(db: Db, id: number): Promise<ReportedSite | null> {
  const row = await db.geoSite.findUnique({ where: { id } });
  return row && reportedFrom(row);
}

/** Returns whether another site has this name, has this URL, or is the primary site. */
export async function findDuplicates(
  db: Db,
  { name, url }: SiteSettings,
  primary: boolean,
  besideId: number,
): Promise<Readonly<{ name: boolean; url: boolean; primary: boolean }>> {
  const rows = await db.geoSite.findMany({
    where: { id: { not: besideId }, OR: [{ name }, { url }, ...(primary ? [{ primarySlot: 1 }] : [])] },
    select: { name: true, url: true, primarySlot: true },
  });
  return {
    name: rows.some((row) => row.name === name),
    url: rows.some((row) => row.url === url),
    primary: primary && rows.some(({ primarySlot }) => primarySlot !== null),
  };
}

/** Returns a page of the sites, ordered by id. */
export function list(db: Db, paging: Paging): Promise<Page<ReportedSite & Readonly<{ id: number }>>> {
  const read = async () => {
    const rows = await db.geoSite.findMany({
      where: keysetFilterOf(paging),
      orderBy: { id: directionOf(paging) },
      ...windowOf(paging),
    });
    return rows.map((row) => ({ id: row.id, ...reportedFrom(row) }));
  };
  return pageFrom(paging, read(), () => db.geoSite.count({ take: COUNTED_MAX + 1 }));
}

/**
 * Stores a status report of a secondary site. The result is false if the site no longer exists or is the
 * primary site.
 */
export async function setReport(db: Db, id: number, report: SiteReport, reportedAt: Date): Promise<boolean> {
  const { count } = await db.geoSite.updateMany({
    where: { id, primarySlot: null },
    data: { report: JSON.stringify(report), reportedAt },
  });
  return count === 1;
}

export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.geoSite.deleteMany({ where: { id } })).count === 1;

/** Locks a site until the end of the transaction. @returns false if the site does not exist. */
export const lock = (db: Db, id: number): Promise<boolean> => lockRow(db, "GeoSite", id);
