import type { Metadata } from "next";
import { MergeRequestView } from "@/review/merge-request-page/components/merge-request-view";
import { loadMergeRequest } from "@/review/merge-request-page/loaders";
import { StaticMarkup } from "@/ui/static-markup";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Merge request" };

type Props = { readonly params: Promise<{ readonly id: string; readonly iid: string }> };

export default orNotFound(async function MergeRequestPage({ params }: Props) {
  const { id, iid } = await params;
  const mergeRequest = await loadMergeRequest(id, iid);
  return (
    <StaticMarkup>
      <MergeRequestView {...mergeRequest} />
    </StaticMarkup>
  );
});
