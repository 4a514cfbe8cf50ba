import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";

/** Shows the Application ID, and the secret if it has just been created. */
export function Credentials(props: { readonly uid: string; readonly secret: string | null }) {
  return (
    <div className="grid gap-4">
      <CopyField id="application_id" label="Application ID" value={props.uid} />
      {props.secret === null ? null : (
        <>
          <CopyField id="secret" label="Secret" value={props.secret} />
          <Notice kind="warning" focused>
            Copy the secret now. You cannot view it again.
          </Notice>
        </>
      )}
    </div>
  );
}
