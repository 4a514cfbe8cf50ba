import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { MembersPage } from "@/workspace/member-pages/components/members-page";
import { loadMembers } from "@/workspace/member-pages/loaders";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Members" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function GroupMembersPage({ params, searchParams }: Props) {
  return <MembersPage {...(await loadMembers("group", (await params).id, await searchParams))} />;
});
