import type { GroupApplications } from "@/oauth/applications/group-removal";
import { Notice } from "@/ui/notice";

/** Lists the applications that are deleted together with a group. */
export function DeletedApplications({ count, names }: GroupApplications) {
  const others = count - names.length;
  return (
    <Notice kind="warning">
      <div className="grid min-w-0 gap-1">
        <p>
          {count === 1 ? "This application is" : `These ${count.toLocaleString("en")} applications are`}{" "}
          deleted with the group, and all tokens are revoked. To keep an application, transfer it first.
        </p>
        <ul className="list-disc pl-5">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two applications may have the same name
            <li key={index} className="wrap-anywhere">
              <bdi>{name}</bdi>
            </li>
          ))}
          {others === 0 ? null : <li>and {others.toLocaleString("en")} more</li>}
        </ul>
      </div>
    </Notice>
  );
}
