import type { Metadata } from "next";
import { UserAvatar } from "@/identity/users/components/user-avatar";
import type { Query } from "@/kernel/http/query";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { ProjectTable } from "@/workspace/projects/components/project-list";
import { loadProjectsOfUser } from "@/workspace/projects/loaders";
import { Frame } from "../../frame";
import { orNotFound } from "../../or-not-found";
import { PROJECT_PLACES } from "../../projects/places";

export const metadata: Metadata = { title: "User" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

/** The page of a user, to which `web_url` in the API redirects. */
export default orNotFound(async function UserPage({ params, searchParams }: Props) {
  const { owner, projects, pager, now } = await loadProjectsOfUser((await params).id, await searchParams);
  return (
    <Frame side={PROJECT_PLACES}>
      <PageHead
        title={owner.name}
        avatar={<UserAvatar user={owner} size="large" />}
        about={`@${owner.username}`}
        action={
          owner.state === "active" ? undefined : (
            <Badge>{owner.state === "deactivated" ? "Deactivated" : "Blocked"}</Badge>
          )
        }
      />
      {projects.length === 0 ? (
        <EmptyState title="No personal projects">
          The projects in the personal namespace of this user are listed here if you can see them.
        </EmptyState>
      ) : (
        <ProjectTable caption={`Projects of ${owner.name}`} projects={projects} now={now} />
      )}
      <Pager {...pager} />
    </Frame>
  );
});
