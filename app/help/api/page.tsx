import type { Metadata } from "next";
import { referenceOf } from "@/http-api/reference";
import { systemDeps } from "@/kernel/deps/deps";
import { describeApi } from "@/server/api-document";
import { PageHead } from "@/ui/page-shell";
import { Frame } from "../../frame";
import { EntryArticle } from "./entry-article";
import { V5Section } from "./v5-section";

export const metadata: Metadata = { title: "REST API" };

export default async function ApiReferencePage() {
  const document = await describeApi(systemDeps(), "v4");
  const chapters = referenceOf(document);
  const side = [
    { label: "Removed in v5", href: "#v5" },
    ...chapters.map(({ name, anchor }) => ({ label: name, href: `#${anchor}` })),
  ];
  return (
    <Frame side={{ label: "Resources", items: side }}>
      <PageHead
        title="REST API"
        about={
          <>
            Every URL begins with <code className="font-mono">{document.servers[0]?.url}</code>. The same
            reference is available as <a href="/api/v4/openapi.json">an OpenAPI document</a>.
          </>
        }
      />
      <p className="text-muted">{document.info.description}</p>
      <V5Section />
      {chapters.map(({ name, anchor, entries }) => (
        <section key={anchor} aria-labelledby={anchor} className="grid min-w-0 gap-4">
          <h2 id={anchor} className="mt-4 text-heading font-semibold">
            {name}
          </h2>
          {entries.map((entry) => (
            <EntryArticle key={entry.anchor} entry={entry} />
          ))}
        </section>
      ))}
    </Frame>
  );
}
