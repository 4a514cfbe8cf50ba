import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { type ApplicationSecret, isIdle, SECRETS_MAX } from "../../applications/rules";
import type { SecretState } from "../actions";
import { NewSecret } from "./new-secret";

type Props = Readonly<{
  applicationId: number;
  secrets: readonly ApplicationSecret[];
  now: Date;
  add: (before: SecretState, form: FormData) => Promise<SecretState>;
  remove: (form: FormData) => Promise<void>;
}>;

/** Shows the secrets of a confidential application. Two secrets allow a rotation without an outage. */
export function Secrets({ applicationId, secrets, now, add, remove }: Props) {
  return (
    <Card
      id="section-secrets"
      title="Secrets"
      about="To rotate the secret, add a second secret, update your servers, then remove the old secret. Both secrets work until you remove one of the secrets."
    >
      <Rows nested>
        {secrets.map((secret, index) => (
          <Row key={secret.id}>
            <div className="grid min-w-0 gap-0.5 md:gap-0">
              <p>
                <code>…{secret.ending}</code>
              </p>
              <p className="text-muted text-small">
                Added <Ago at={secret.createdAt} now={now} /> ·{" "}
                {secret.lastUsedAt === null ? "never used" : <LastUse at={secret.lastUsedAt} now={now} />}
              </p>
              {secrets.length > 1 && index === 0 && isIdle(secret, now) ? (
                <p className="text-small">This secret was not used for 7 days. You can remove the secret.</p>
              ) : null}
            </div>
            {secrets.length > 1 ? (
              <Removal applicationId={applicationId} secret={secret} remove={remove} />
            ) : null}
          </Row>
        ))}
      </Rows>
      <NewSecret action={add} id={applicationId} full={secrets.length >= SECRETS_MAX} />
    </Card>
  );
}

const LastUse = (props: { readonly at: Date; readonly now: Date }) => (
  <>
    last used <Ago {...props} />
  </>
);

function Removal(props: Pick<Props, "applicationId" | "remove"> & { readonly secret: ApplicationSecret }) {
  const { id, ending } = props.secret;
  return (
    <Confirm
      id={`remove-secret-${id}`}
      size="small"
      summary="Remove"
      title={`Remove the secret …${ending}?`}
      question="Requests with this secret are refused immediately. Existing tokens keep working."
    >
      <form action={props.remove}>
        <input type="hidden" name="id" value={props.applicationId} />
        <input type="hidden" name="secret_id" value={id} />
        <Button kind="danger">Remove …{ending}</Button>
      </form>
    </Confirm>
  );
}
