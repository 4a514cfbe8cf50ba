import { Badge } from "@/ui/badge";
import type { Application } from "../rules";

type Props = Readonly<{ application: Pick<Application, "confidential" | "trusted" | "blockedAt"> }>;

/** Shows badges for public, trusted and blocked applications. */
export function ApplicationBadges({ application }: Props) {
  const { confidential, trusted, blockedAt } = application;
  if (confidential && !trusted && blockedAt === null) return null;
  return (
    <span className="flex flex-wrap gap-1 font-normal">
      {confidential ? null : <Badge>public</Badge>}
      {trusted ? <Badge>trusted</Badge> : null}
      {blockedAt === null ? null : (
        <span className="inline-block rounded-full border border-danger px-2 text-danger text-small">
          blocked
        </span>
      )}
    </span>
  );
}
