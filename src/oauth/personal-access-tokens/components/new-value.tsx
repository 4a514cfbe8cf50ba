import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import type { CreatedToken } from "../actions";

/** The value of a token, this once. */
export function NewTokenValue({ token }: { readonly token: CreatedToken }) {
  return (
    <section aria-label="The new token" className="grid gap-4">
      <CopyField id="token-value" label="Token" value={token.value} />
      <Notice kind="warning">
        Copy the value of <bdi>{token.name}</bdi> now. It is kept as a digest only and cannot be shown again.
      </Notice>
    </section>
  );
}
