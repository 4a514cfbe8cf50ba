"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { HOME } from "../../sessions/two-factor-enrollment";
import type { ShownCodes } from "../loaders";
import { RecoveryCodes } from "./recovery-codes";

type Props = Readonly<{ action: () => Promise<ShownCodes | null>; left: number }>;

/** Shows the number of unused recovery codes, and generates ten new codes on request. */
export function RecoveryCard({ action, left }: Props) {
  const [shown, formAction, busy] = useActionState(action, null);
  if (shown !== null)
    return (
      <Card>
        <RecoveryCodes shown={shown} continueTo={HOME} />
      </Card>
    );
  return (
    <Card
      title="Recovery codes"
      about={`${left} of 10 left. Use a recovery code when you do not have your second factor. Each code works once.`}
      action={
        <Confirm
          id="renew-codes"
          kind="plain"
          size="small"
          summary="Generate new codes"
          title="Generate new recovery codes?"
          question="Your current recovery codes stop working immediately."
        >
          <form action={formAction}>
            <Button kind="primary" disabled={busy}>
              Generate new codes
            </Button>
          </form>
        </Confirm>
      }
    />
  );
}
