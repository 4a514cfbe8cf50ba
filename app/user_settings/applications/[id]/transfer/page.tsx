import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { transfer } from "@/workspace/group-applications/actions";
import { TransferConfirmation } from "@/workspace/group-applications/components/transfer-confirmation";
import { loadTransfer } from "@/workspace/group-applications/loaders";

export const metadata: Metadata = { title: "Transfer an application" };

export default async function TransferPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const page = await loadTransfer((await props.params).id, await props.searchParams);
  return (
    <>
      <ApplicationTrail application={page.application} page={{ label: "Transfer", segment: "transfer" }} />
      <TransferConfirmation page={page} transfer={transfer} />
    </>
  );
}
