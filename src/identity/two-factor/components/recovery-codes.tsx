import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import type { ShownCodes } from "../loaders";

/** Shows new recovery codes in plain text, once. */
export function RecoveryCodes(props: { readonly shown: ShownCodes; readonly continueTo: string }) {
  const { codes, csrfToken } = props.shown;
  return (
    <section className="grid gap-4" aria-labelledby="codes-title">
      <h2 id="codes-title" className="font-semibold">
        Your recovery codes
      </h2>
      <Notice kind="warning" focused>
        Save these codes in a safe place now: they are not shown again. Use a code when you do not have your
        second factor. Each code works once.
      </Notice>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-group border border-line bg-ground p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/users/recovery_codes">
          <input type="hidden" name="codes" value={codes.join(" ")} />
          <input type="hidden" name="form_token" value={csrfToken} />
          <Button>Download as a text file</Button>
        </form>
        <ButtonLink kind="primary" href={props.continueTo}>
          I saved the codes
        </ButtonLink>
      </div>
    </section>
  );
}
