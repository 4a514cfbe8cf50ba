import type { Metadata } from "next";
import { MembersPage } from "@/features/members/components/members-page";
import { loadMembers } from "@/features/members/loaders";
import type { Query } from "@/platform/keyset";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Members" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function ProjectMembersPage({ params, searchParams }: Props) {
  return <MembersPage {...(await loadMembers("project", (await params).id, await searchParams))} />;
});
