import type { Metadata } from "next";
import { saveMailChoices } from "@/identity/notices/actions";
import { loadMailChoices } from "@/identity/notices/loaders";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "E-mail notifications" };

export default async function NotificationsPage() {
  const { choices, mailIsOn, emailIsConfirmed } = await loadMailChoices();
  return (
    <>
      <PageHead
        title="E-mail notifications"
        about="The e-mail notifications that you get about your account."
      />
      {mailIsOn ? null : <Notice kind="warning">This server sends no e-mail.</Notice>}
      {mailIsOn && !emailIsConfirmed ? (
        <Notice kind="warning">You get notifications after your e-mail address is confirmed.</Notice>
      ) : null}
      <Card title="Optional e-mails">
        <form action={saveMailChoices} className="grid gap-4">
          <ChoiceGroup id="optional" legend="Send me an e-mail for these events">
            {choices
              .filter(({ security }) => !security)
              .map(({ kind, about, wanted }) => (
                <ChoiceRow
                  key={kind}
                  id={kind}
                  type="checkbox"
                  name="kind"
                  value={kind}
                  defaultChecked={wanted}
                  label={about}
                  detail="You can also unsubscribe with the link in the e-mail."
                />
              ))}
          </ChoiceGroup>
          <div>
            <Button kind="primary">Save</Button>
          </div>
        </form>
      </Card>
      <Card title="Security e-mails" about="These e-mails protect your account and cannot be turned off.">
        <ul className="list-disc ps-5">
          {choices
            .filter(({ security }) => security)
            .map(({ kind, about }) => (
              <li key={kind}>{about}</li>
            ))}
        </ul>
      </Card>
    </>
  );
}
