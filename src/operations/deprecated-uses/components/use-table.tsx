import { OneLine } from "@/ui/one-line";
import { Pager } from "@/ui/pager";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { UsesPage } from "../loaders";
import type { DeprecatedUse } from "../rules";

/** The text that the page shows for a row in the table of version differences. */
export type UseDescription = Readonly<{ item: string; instead: string; href: string; wasUsed: boolean }>;

const COLUMNS: readonly Column[] = [
  { name: "Deprecated part", width: "half" },
  { name: "Used by", width: "quarter" },
  { name: "Count" },
  { name: "Last used" },
];

/** The table that lists uses of deprecated API parts, latest first, with links to the previous and next pages. */
export function UseTable(props: {
  readonly caption: string;
  readonly page: UsesPage;
  readonly tell: (name: string) => UseDescription;
}) {
  const { caption, page, tell } = props;
  const rows = page.uses.map((use) => ({
    key: use.id,
    cells: [
      <What key="what" description={tell(use.name)} />,
      <Who key="who" use={use} />,
      use.count.toLocaleString("en"),
      <span key="last" className="md:whitespace-nowrap">
        <Ago at={use.lastUsedAt} now={page.now} />
      </span>,
    ],
  }));
  return (
    <>
      <Table caption={caption} columns={COLUMNS} rows={rows} />
      <Pager previous={page.previous} next={page.next} newestFirst />
    </>
  );
}

function What({ description }: { readonly description: UseDescription }) {
  const { item, instead, href, wasUsed } = description;
  const note = wasUsed
    ? ""
    : "The response contained this part of the API, but the server cannot know whether the program uses this part.";
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <a href={href}>
        <OneLine text={item} />
      </a>
      <OneLine
        text={[instead, note].filter((text) => text !== "").join(" ")}
        className="text-small text-muted"
      />
    </span>
  );
}

function Who({ use: { user, application } }: { readonly use: DeprecatedUse }) {
  const token = user === null && application === null ? "Without a token" : "a personal access token";
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <OneLine text={application?.name ?? token} />
      {user === null ? null : <OneLine text={`@${user.username}`} className="text-small text-muted" />}
    </span>
  );
}
