import type { Metadata } from "next";
import { COMMENTS_SECTION, CommentList } from "@/error-tracking/comments/components/comment-list";
import { loadComments } from "@/error-tracking/comments/loaders";
import { ErrorCounts, ErrorFacts } from "@/error-tracking/tracked-errors/components/error-facts";
import { ErrorHead } from "@/error-tracking/tracked-errors/components/error-head";
import { errorSections } from "@/error-tracking/tracked-errors/components/error-sections";
import { EventView } from "@/error-tracking/tracked-errors/components/event-view";
import { loadError } from "@/error-tracking/tracked-errors/loaders";
import type { Query } from "@/kernel/http/query";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Error" };

type Props = {
  readonly params: Promise<{ readonly id: string; readonly error_id: string }>;
  readonly searchParams: Promise<Query>;
};

export default orNotFound(async function ErrorPage({ params, searchParams }: Props) {
  const { id, error_id } = await params;
  const query = await searchParams;
  const page = await loadError(id, error_id, query);
  const comments = await loadComments(id, error_id, query);
  const { error, projectId, mayChangeStatus, points, range, home, shown, now } = page;
  return (
    <StaticMarkup>
      <ErrorHead error={error} projectId={projectId} mayChangeStatus={mayChangeStatus} now={now} />
      <SectionNav sections={[...errorSections(shown?.event ?? null), COMMENTS_SECTION]} />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_200px]">
        <div className="grid min-w-0 gap-6">
          {shown === null ? (
            <p className="text-muted">
              The events of this error were removed because the event storage was full.
            </p>
          ) : (
            <EventView shown={shown} now={now} />
          )}
        </div>
        <ErrorFacts error={error} now={now} />
      </div>
      <ErrorCounts points={points} range={range} home={home} />
      <CommentList {...comments} />
    </StaticMarkup>
  );
});
