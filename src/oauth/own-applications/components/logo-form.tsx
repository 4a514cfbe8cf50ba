import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { PictureForm } from "@/ui/picture-form";
import { ApplicationMark } from "../../applications/components/application-mark";
import type { LogoState } from "../actions";
import { LOGO_SECTION } from "./application-form-sections";

type Props = Readonly<{
  application: Readonly<{ id: number; name: string; logo: string | null }>;
  /** The name of the uploaded picture while the user re-authenticates; null if no picture was uploaded. */
  held: string | null;
  upload: (before: LogoState, form: FormData) => Promise<LogoState>;
  remove: (form: FormData) => Promise<void>;
}>;

/** Shows the form that uploads or removes a logo. */
export const LogoForm = ({ application, held, upload, remove }: Props) => (
  <Card
    id={LOGO_SECTION.id}
    title={LOGO_SECTION.label}
    about="People see this logo when the application asks for access."
  >
    <div className="flex flex-wrap items-start gap-4">
      <ApplicationMark application={application} />
      <PictureForm id="logo" action={upload} held={held}>
        <input type="hidden" name="id" value={application.id} />
        {application.logo === null ? null : <Removal application={application} remove={remove} />}
      </PictureForm>
    </div>
  </Card>
);

/**
 * Shows the button that removes the logo. The button is in the upload form and has its own action, because
 * forms cannot be nested.
 */
function Removal({ application, remove }: Pick<Props, "application" | "remove">) {
  return (
    <Confirm
      id="remove-logo"
      size="small"
      summary="Remove logo"
      title="Remove the logo?"
      question={
        <>
          The initials of <bdi className="wrap-anywhere">{application.name}</bdi> are shown instead.
        </>
      }
    >
      <Button kind="danger" formAction={remove} formNoValidate>
        Remove the logo
      </Button>
    </Confirm>
  );
}
