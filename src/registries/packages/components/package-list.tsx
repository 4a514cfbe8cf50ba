import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { Package } from "../rules";

const COLUMNS: readonly Column[] = [
  { name: "Package", width: "half" },
  { name: "Version", width: "quarter" },
  { name: "Published" },
  { name: "Downloaded" },
];

export function PackageTable(props: { readonly packages: readonly Package[]; readonly now: Date }) {
  const rows = props.packages.map(({ id, name, version, createdAt, lastDownloadedAt }) => ({
    key: id,
    cells: [
      <OneLine key="name" text={name} className="font-semibold" />,
      <OneLine key="version" text={version} className="font-mono text-small" />,
      <span key="published" className="text-muted">
        <Ago at={createdAt} now={props.now} />
      </span>,
      <span key="downloaded" className="text-muted">
        {lastDownloadedAt === null ? "Never" : <Ago at={lastDownloadedAt} now={props.now} />}
      </span>,
    ],
  }));
  return <Table caption="Packages" columns={COLUMNS} rows={rows} />;
}

/** The commands that publish and download a package file. */
export function PublishCard(props: { readonly publishLine: string | null; readonly downloadLine: string }) {
  return (
    <Card title="Generic packages" about="Publish a file of any type with a package name and a version.">
      <div className="grid gap-4">
        {props.publishLine === null ? null : <CodeBlock label="Publish a file" code={props.publishLine} />}
        <CodeBlock label="Download a file" code={props.downloadLine} />
        <p className="text-small text-muted">
          TOKEN is{" "}
          <a href="/user_settings/personal_access_tokens" className="underline underline-offset-2">
            a personal access token
          </a>{" "}
          with <code>api</code>, or with <code>read_api</code> to download. OAuth tokens of applications are
          not accepted.
        </p>
      </div>
    </Card>
  );
}
