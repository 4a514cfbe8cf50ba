import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { chapterPath, REFERENCE_PATH } from "@/http-api/reference";
import { systemDeps } from "@/kernel/deps/deps";
import { apiReference } from "@/server/api-document";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";
import { Trail } from "@/ui/trail";
import { Frame } from "../../../frame";
import { orNotFound } from "../../../or-not-found";
import { EntryArticle } from "../entry-article";

type Props = { readonly params: Promise<{ readonly resource: string }> };

async function chapterOf({ params }: Props) {
  const [{ resource }, { url, chapters }] = await Promise.all([params, apiReference(systemDeps())]);
  return { url, chapters, chapter: chapters.find(({ anchor }) => anchor === resource) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { chapter } = await chapterOf(props);
  return { title: chapter === undefined ? "REST API" : `${chapter.name} · REST API` };
}

export default orNotFound(async function ApiResourcePage(props: Props) {
  const { url, chapters, chapter } = await chapterOf(props);
  if (chapter === undefined) notFound();
  const side = [
    { label: "All resources", href: REFERENCE_PATH },
    ...chapters.map((other) => ({ label: other.name, href: chapterPath(other) })),
  ];
  return (
    <Frame side={{ label: "Resources", items: side }}>
      <StaticMarkup>
        <Trail steps={[{ label: "REST API", href: REFERENCE_PATH }]} />
        <PageHead
          title={chapter.name}
          about={
            <>
              Every URL begins with <code className="font-mono">{url}</code>.{" "}
              <a href={REFERENCE_PATH}>Search all endpoints</a>
            </>
          }
        />
        {chapter.entries.map((entry) => (
          <EntryArticle key={entry.anchor} entry={entry} />
        ))}
      </StaticMarkup>
    </Frame>
  );
});
