import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import type { CreatedToken } from "../actions";

/** Shows the value of a new token. */
export function NewTokenValue({ token }: { readonly token: CreatedToken }) {
  return (
    <section aria-label="New token" className="grid gap-4">
      <CopyField id="token-value" label="Token" value={token.value} />
      <Notice key={token.value} kind="warning" focused>
        Copy the token <bdi>{token.name}</bdi> now. You cannot view the token again.
      </Notice>
    </section>
  );
}
