"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { HOME } from "../../sessions/enrolment";
import type { ShownCodes } from "../loaders";
import { RecoveryCodes } from "./recovery-codes";

type Props = Readonly<{ action: () => Promise<ShownCodes | null>; left: number }>;

/** How many recovery codes are left, and ten new ones on request. */
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
      about={`${left} of 10 left. Each replaces your second factor once.`}
      action={
        <Confirm
          id="renew-codes"
          kind="plain"
          size="small"
          summary="Make new codes"
          title="Make ten new recovery codes?"
          question="The codes that you have now stop at once."
        >
          <form action={formAction}>
            <Button kind="primary" disabled={busy}>
              Make new codes
            </Button>
          </form>
        </Confirm>
      }
    />
  );
}
