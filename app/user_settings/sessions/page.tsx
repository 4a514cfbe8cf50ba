import type { Metadata } from "next";
import { endOtherSessions, endSession } from "@/identity/sessions/actions";
import { SessionList, SignOutElsewhere } from "@/identity/sessions/components/session-list";
import { loadSessions } from "@/identity/sessions/loaders";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Sessions" };

export default async function SessionsPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { sessions, now, previous, next } = await loadSessions(await searchParams);
  const hasOtherSessions = previous !== null || next !== null || sessions.some(({ current }) => !current);
  return (
    <StaticMarkup>
      <PageHead
        title="Sessions"
        about="Browsers that are signed in to your account. If you do not recognize a browser, sign the browser out and change your password."
        action={hasOtherSessions ? <SignOutElsewhere action={endOtherSessions} /> : undefined}
      />
      <SessionList sessions={sessions} now={now} end={endSession} />
      {hasOtherSessions ? null : <p className="text-muted">You are not signed in anywhere else.</p>}
      <Pager previous={previous} next={next} newestFirst />
    </StaticMarkup>
  );
}
