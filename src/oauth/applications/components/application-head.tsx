import { ButtonLink } from "@/ui/button";
import { Ago } from "@/ui/time";
import type { ShownApplication } from "../rules";
import { ApplicationBadges } from "./application-badges";
import { ApplicationMark } from "./application-mark";

type Props = Readonly<{ application: ShownApplication; now: Date }>;

/** Shows the header of the page of an application. */
export function ApplicationHead({ application, now }: Props) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-60 flex-1 items-start gap-4">
        <ApplicationMark application={application} />
        <div className="grid min-w-0 gap-1">
          <h1 className="font-semibold text-title wrap-anywhere">
            <bdi>{application.name}</bdi>
          </h1>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-small">
            <span>
              Registered <Ago at={application.createdAt} now={now} />
            </span>
            <ApplicationBadges application={application} />
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={`/user_settings/applications/${application.id}/edit`}>Edit</ButtonLink>
        <ButtonLink kind="primary" href={`/user_settings/applications/${application.id}/try`}>
          Try the authorization
        </ButtonLink>
      </div>
    </div>
  );
}
