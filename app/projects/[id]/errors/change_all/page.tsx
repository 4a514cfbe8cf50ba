import type { Metadata } from "next";
import { changeMatchingStatuses } from "@/error-tracking/tracked-errors/actions";
import { STATUS_WORDS } from "@/error-tracking/tracked-errors/components/error-badges";
import { StatusButtons } from "@/error-tracking/tracked-errors/components/status-buttons";
import { loadMatchingErrors } from "@/error-tracking/tracked-errors/loaders";
import { parametersOf } from "@/error-tracking/tracked-errors/schema";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { Fact, Facts } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Change errors" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

/** Asks for the new status of all tracked errors that match the filters of the list. */
export default orNotFound(async function ChangeErrorsPage({ params, searchParams }: Props) {
  const page = await loadMatchingErrors((await params).id, await searchParams);
  const { projectId, search, total, listUrl, now } = page;
  const hidden = { project: String(projectId), shown_at: String(now.getTime()), ...parametersOf(search) };
  return (
    <>
      <PageHead
        title={`Change ${total === 1 ? "1 error" : `${total.toLocaleString("en")} errors`}`}
        about="The new status applies to all errors that match these filters, on all pages of the list. The status of errors that appeared after you opened this page does not change."
      />
      <Facts>
        <Fact name="Status">{search.status === "all" ? "Any" : STATUS_WORDS[search.status]}</Fact>
        <Fact name="Environment">
          <bdi>{search.environment || "Any"}</bdi>
        </Fact>
        <Fact name="Search">
          <bdi>{search.search || "None"}</bdi>
        </Fact>
      </Facts>
      <form action={changeMatchingStatuses} className="flex flex-wrap gap-3">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {total === 0 ? null : <StatusButtons without={search.status} />}
        <ButtonLink href={listUrl}>Cancel</ButtonLink>
      </form>
    </>
  );
});
