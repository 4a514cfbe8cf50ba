import type { ReactNode } from "react";
import { Button, type ButtonKind } from "@/ui/button";

/** A form with a single button, which runs an action on one row. */
export const Act = (props: {
  readonly action: (form: FormData) => Promise<void>;
  readonly id: number;
  readonly kind: ButtonKind;
  readonly children: ReactNode;
}) => (
  <form action={props.action}>
    <input type="hidden" name="id" value={props.id} />
    <Button kind={props.kind} className="max-w-full whitespace-normal! wrap-anywhere">
      {props.children}
    </Button>
  </form>
);
