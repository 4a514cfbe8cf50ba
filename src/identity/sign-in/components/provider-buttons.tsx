import { Button } from "@/ui/button";

/**
 * Shows one button for each provider. Each button is a form that sends the browser to the provider, and works
 * without JavaScript.
 * @param props.verb the beginning of each button label.
 * @param props.fields the hidden fields of each form.
 */
export function ProviderButtons(props: {
  readonly providers: readonly Readonly<{ name: string; label: string }>[];
  readonly verb: string;
  readonly fields: Readonly<Record<string, string>>;
}) {
  if (props.providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {props.providers.map(({ name, label }) => (
        <form key={name} method="post" action={`/users/auth/${name}`} className="grid">
          {Object.entries(props.fields).map(([field, value]) => (
            <input key={field} type="hidden" name={field} value={value} />
          ))}
          <Button className="min-w-0 whitespace-normal! wrap-anywhere">
            {props.verb} {label}
          </Button>
        </form>
      ))}
    </div>
  );
}
