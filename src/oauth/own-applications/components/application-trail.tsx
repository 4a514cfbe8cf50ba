import { Trail } from "@/ui/trail";
import type { ShownApplication } from "../../applications/rules";

type Props = Readonly<{
  application: Pick<ShownApplication, "id" | "name" | "owner">;
  /**
   * The label and the last URL segment of the current page below the main page of an application; absent on
   * the main page itself.
   */
  page?: Readonly<{ label: string; segment: string }>;
}>;

/**
 * The breadcrumb of the pages of an application. The breadcrumb contains links to the list of applications
 * and to the application.
 */
export function ApplicationTrail({ application: { id, name, owner }, page }: Props) {
  const home = `/user_settings/applications/${id}`;
  const list =
    owner.kind === "group"
      ? [
          { label: owner.path, href: `/groups/${owner.id}` },
          { label: "Applications", href: `/groups/${owner.id}/settings/applications` },
        ]
      : [{ label: "Applications", href: "/user_settings/applications" }];
  return (
    <Trail
      steps={[
        ...list,
        { label: name, href: home },
        ...(page === undefined ? [] : [{ label: page.label, href: `${home}/${page.segment}` }]),
      ]}
    />
  );
}
