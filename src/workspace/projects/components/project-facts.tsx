import { ROLES } from "@/access/roles";
import { Fact, Facts } from "@/ui/card";
import { Ago } from "@/ui/time";
import { VisibilitySentence } from "../../naming/components/visibility";
import type { AuthorizedProject } from "../rules";

/** The properties of a project, and the role of the viewer. */
export function ProjectFacts(props: { readonly project: AuthorizedProject; readonly now: Date }) {
  const { id, fullPath, visibility, role, createdAt } = props.project;
  return (
    <Facts>
      <Fact name="Path">
        <code className="text-small wrap-anywhere">{fullPath}</code>
      </Fact>
      <Fact name="ID">
        <code className="text-small">{id}</code>
      </Fact>
      <Fact name="Visibility">
        <VisibilitySentence visibility={visibility} />
      </Fact>
      <Fact name="Your role">{role === null ? "You are not a member" : ROLES[role].label}</Fact>
      <Fact name="Created">
        <Ago at={createdAt} now={props.now} />
      </Fact>
    </Facts>
  );
}
