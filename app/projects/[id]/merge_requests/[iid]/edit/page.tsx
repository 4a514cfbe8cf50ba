import type { Metadata } from "next";
import { editMergeRequest } from "@/review/merge-requests/actions";
import { EditMergeRequestForm } from "@/review/merge-requests/components/edit-merge-request-form";
import { loadMergeRequestEdit } from "@/review/merge-requests/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Edit merge request" };

type Props = { readonly params: Promise<{ readonly id: string; readonly iid: string }> };

export default orNotFound(async function EditMergeRequestPage({ params }: Props) {
  const { id, iid } = await params;
  const page = await loadMergeRequestEdit(id, iid);
  return (
    <>
      <PageHead title={`Edit merge request !${page.iid}`} />
      <EditMergeRequestForm action={editMergeRequest} {...page} />
    </>
  );
});
