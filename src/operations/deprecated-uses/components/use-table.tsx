import { Pager } from "@/ui/pager";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { UsesPage } from "../loaders";
import type { DeprecatedUse } from "../rules";

/** The text that the page shows for a row in the table of version differences. */
export type UseDescription = Readonly<{ item: string; instead: string; href: string; wasUsed: boolean }>;

const COLUMNS = [{ name: "Deprecated part" }, { name: "Used by" }, { name: "Count" }, { name: "Last used" }];

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

const What = ({ description }: { readonly description: UseDescription }) => (
  <span className="grid min-w-0 wrap-anywhere">
    <a href={description.href}>{description.item}</a>
    <span className="text-small text-muted">
      {description.wasUsed
        ? "Used. "
        : "The response contained this part of the API, but the server cannot know whether the program uses this part. "}
      {description.instead}
    </span>
  </span>
);

function Who({ use: { user, application } }: { readonly use: DeprecatedUse }) {
  const by = application === null ? "a personal access token" : <bdi>{application.name}</bdi>;
  return (
    <span className="grid min-w-0 wrap-anywhere">
      <span>{user === null && application === null ? "Without a token" : by}</span>
      {user === null ? null : <span className="text-small text-muted">@{user.username}</span>}
    </span>
  );
}
