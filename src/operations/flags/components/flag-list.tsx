import { FLAGS } from "@/instance/flags/catalog";
import type { FlagState } from "@/instance/flags/service";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Ago } from "@/ui/time";

type Listed = FlagState & Readonly<{ changedAt: Date | null }>;

/** The list of feature flags, with buttons that change them. */
export function FlagList(props: {
  readonly flags: readonly Listed[];
  readonly action: (form: FormData) => Promise<void>;
  readonly now: Date;
}) {
  return props.flags.map((flag) => (
    <Card
      key={flag.name}
      title={FLAGS[flag.name].about}
      about={<About flag={flag} now={props.now} />}
      action={
        <div className="flex flex-wrap gap-3">
          {flag.changedAt === null ? null : (
            <Switch action={props.action} flag={flag} to="default" text="Reset to default" />
          )}
          <Switch
            action={props.action}
            flag={flag}
            to={flag.enabled ? "off" : "on"}
            text={flag.enabled ? "Switch off" : "Switch on"}
          />
        </div>
      }
    />
  ));
}

function About({ flag, now }: { readonly flag: Listed; readonly now: Date }) {
  const { since, default: byDefault } = FLAGS[flag.name];
  return (
    <span className="grid gap-1">
      <code className="wrap-anywhere">{flag.name}</code>
      <span>
        <Badge>{flag.enabled ? "on" : "off"}</Badge>{" "}
        {flag.changedAt === null ? (
          "default value"
        ) : (
          <>
            set <Ago at={flag.changedAt} now={now} />, {byDefault ? "on" : "off"} by default
          </>
        )}
        , available since {since}
      </span>
    </span>
  );
}

const Switch = (props: {
  readonly action: (form: FormData) => Promise<void>;
  readonly flag: Listed;
  readonly to: "on" | "off" | "default";
  readonly text: string;
}) => (
  <form action={props.action}>
    <input type="hidden" name="name" value={props.flag.name} />
    <input type="hidden" name="to" value={props.to} />
    <Button kind={props.to === "on" ? "primary" : "plain"} aria-label={`${props.text}: ${props.flag.name}`}>
      {props.text}
    </Button>
  </form>
);
