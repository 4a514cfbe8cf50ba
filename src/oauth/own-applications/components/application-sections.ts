import type { Section } from "@/ui/section-nav";
import { hasSecrets } from "../../applications/client-authentication";
import type { OwnApplication } from "../loaders";

/** Returns the sections of the page of an application that the user manages, in the order of the page. */
export function applicationSections({ application, logouts }: OwnApplication): readonly Section[] {
  const owns = application.right === "own";
  return [
    ...(hasSecrets(application) ? [{ id: "section-secrets", label: "Secrets" }] : []),
    { id: "section-facts", label: "Details" },
    { id: "section-connect", label: "Connect a client" },
    { id: "section-failures", label: "Failed requests" },
    ...(logouts === null ? [] : [{ id: "section-logouts", label: "Logout tokens" }]),
    ...(application.owner.kind === "group" ? [] : [{ id: "section-maintainer", label: "Second maintainer" }]),
    ...(owns ? [{ id: "section-transfer", label: "Transfer" }] : []),
    { id: "section-webhooks", label: "Webhooks" },
    { id: "section-activity", label: "Activity" },
    ...(owns ? [{ id: "section-deletion", label: "Delete" }] : []),
  ];
}
