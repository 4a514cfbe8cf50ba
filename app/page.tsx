import type { Metadata } from "next";
import type { ReactNode } from "react";
import { requireSession } from "@/identity/sessions/loaders";
import { ApplicationMark } from "@/oauth/applications/components/application-mark";
import { loadRecentAuthorizations } from "@/oauth/authorizations/loaders";
import { loadIssuer } from "@/oauth/connect/loaders";
import { loadNewestApplications } from "@/oauth/own-applications/loaders";
import { Avatar } from "@/ui/avatar";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { OneLine } from "@/ui/one-line";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";
import { Ago } from "@/ui/time";
import { loadActiveProjects } from "@/workspace/projects/loaders";
import { Frame } from "./frame";

export const metadata: Metadata = { title: "Home" };

const SHOWN = 5;

/**
 * The home page of a signed-in user: projects, own applications, authorized applications, and a link to the
 * guide for clients.
 */
export default async function HomePage() {
  const { user } = await requireSession("/");
  const owned = await loadNewestApplications(SHOWN);
  const allowed = await loadRecentAuthorizations(SHOWN);
  const { projects, now } = await loadActiveProjects(SHOWN);
  return (
    <Frame>
      <StaticMarkup>
        <PageHead
          title={`Gatehouse at ${new URL(loadIssuer()).host}`}
          about={
            <>
              Applications ask for your permission before they use your account. You are signed in as{" "}
              <strong>@{user.username}</strong>.
            </>
          }
        />
        {user.twoFactor ? null : (
          <Card
            title="Protect your account with a second factor"
            about="With a passkey or an authenticator app, nobody can sign in with your password alone."
            action={
              <ButtonLink href="/user_settings/two_factor">Set up two-factor authentication</ButtonLink>
            }
          />
        )}
        <Card
          title="Your projects"
          about={
            projects.length === 0
              ? "You are not a member of any project yet. Create a project to host a Git repository."
              : undefined
          }
          action={
            projects.length === 0 ? (
              <ButtonLink href="/projects/new">Create project</ButtonLink>
            ) : (
              <a href="/projects">All</a>
            )
          }
        >
          <Rows>
            {projects.map(({ id, name, fullPath, lastActivityAt }) => (
              <Row
                key={id}
                mark={<Avatar name={name} kind="group" seed={fullPath} />}
                name={name}
                about={fullPath}
                href={`/projects/${id}`}
                when={<Ago at={lastActivityAt} now={now} />}
              />
            ))}
          </Rows>
        </Card>
        <div className="grid gap-6 md:grid-cols-2">
          <Card
            title="Your applications"
            about={
              owned.applications.length === 0 ? "You have not registered an application yet." : undefined
            }
            action={
              <a href="/user_settings/applications">
                {owned.applications.length === 0 ? "Register application" : "All"}
              </a>
            }
          >
            <Rows>
              {owned.applications.map((application) => (
                <Row
                  key={application.id}
                  mark={<ApplicationMark application={application} size="small" />}
                  name={application.name}
                  href={`/user_settings/applications/${application.id}`}
                  when={
                    application.lastUsedAt === null ? (
                      "Never used"
                    ) : (
                      <>
                        Used <Ago at={application.lastUsedAt} now={owned.now} />
                      </>
                    )
                  }
                />
              ))}
            </Rows>
          </Card>
          <Card
            title="Authorized applications"
            about={
              allowed.applications.length === 0 ? "No application has access to your account." : undefined
            }
            action={
              allowed.applications.length === 0 ? undefined : (
                <a href="/user_settings/authorized_applications">All</a>
              )
            }
          >
            <Rows>
              {allowed.applications.map(({ id, name, logo, allowedAt }) => (
                <Row
                  key={id}
                  mark={<ApplicationMark application={{ id, name, logo }} size="small" />}
                  name={name}
                  href={`/user_settings/authorized_applications/${id}`}
                  when={
                    allowedAt === null ? (
                      "No consent required"
                    ) : (
                      <>
                        Since <Ago at={allowedAt} now={allowed.now} />
                      </>
                    )
                  }
                />
              ))}
            </Rows>
          </Card>
        </div>
        <Card
          title="Connect a client"
          about="Exact commands for Git credential helpers, command lines and libraries."
          action={<ButtonLink href="/help/connect">Show commands</ButtonLink>}
        />
      </StaticMarkup>
    </Frame>
  );
}

const Rows = ({ children }: { readonly children: ReactNode[] }) =>
  children.length === 0 ? null : <ul className="-mx-2">{children}</ul>;

function Row(props: {
  readonly mark: ReactNode;
  readonly name: string;
  readonly about?: string;
  readonly href: string;
  readonly when: ReactNode;
}) {
  return (
    <li>
      <a
        href={props.href}
        className="flex items-center gap-3 rounded-control px-2 py-2 text-ink no-underline hover:bg-ground"
      >
        {props.mark}
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          <OneLine text={props.name} className="font-semibold max-md:line-clamp-1 md:max-w-3/4 md:shrink-0" />
          {props.about === undefined ? null : (
            <OneLine text={props.about} className="text-muted text-small max-md:line-clamp-1" />
          )}
        </span>
        <span className="text-small text-muted whitespace-nowrap">{props.when}</span>
      </a>
    </li>
  );
}
