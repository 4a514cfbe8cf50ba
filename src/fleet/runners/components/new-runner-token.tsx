import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";

/** Shows the new token of a runner. */
export const NewRunnerToken = ({ token }: { readonly token: string }) => (
  <section aria-label="New token" className="grid gap-4">
    <CopyField id="token-value" label="Runner authentication token" value={token} />
    <Notice key={token} kind="warning" focused>
      Copy the token now, and enter it in the configuration of the runner. You cannot view the token again.
    </Notice>
  </section>
);
