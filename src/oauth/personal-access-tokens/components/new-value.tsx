import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import type { CreatedToken } from "../actions";

/** The value of a token, this once. */
export function NewValue({ made }: { readonly made: CreatedToken }) {
  return (
    <section aria-label="The new token" className="grid gap-4">
      <CopyField id="token-value" label="Token" value={made.value} />
      <Notice kind="warning">
        Copy the value of <bdi>{made.name}</bdi> now. It is kept as a digest only and cannot be shown again.
      </Notice>
    </section>
  );
}
